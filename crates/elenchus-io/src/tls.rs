//! How the certificates of servers are judged.

use rustls::ClientConfig;
use rustls::client::Resumption;
use rustls::crypto::ring;
use rustls_platform_verifier::BuilderVerifierExt;
use std::sync::{Arc, OnceLock};

/// Judges certificates as this system judges them; an error says why it cannot. They are read once in a process: reading a
/// hundred and more takes longer than anything else that a client needs.
pub(crate) fn trust() -> Result<&'static ClientConfig, &'static str> {
    static TRUST: OnceLock<Result<ClientConfig, String>> = OnceLock::new();
    let trust = TRUST.get_or_init(|| {
        let settings = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(BuilderVerifierExt::with_platform_verifier);
        Ok(settings.map_err(|error| error.to_string())?.with_no_client_auth())
    });
    trust.as_ref().map_err(String::as_str)
}

/// [`trust`] for a client that speaks HTTP/1.1 and resumes no session of another client.
pub(crate) fn http1() -> Result<ClientConfig, &'static str> {
    let mut settings = trust()?.clone();
    settings.alpn_protocols = vec![b"http/1.1".to_vec()];
    settings.resumption = Resumption::default();
    Ok(settings)
}
