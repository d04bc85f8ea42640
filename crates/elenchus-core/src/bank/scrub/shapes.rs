//! Keys that tell their issuer by how they begin.

use super::{Check, Row, always, drawn};

/// Kind, what it begins with, and what follows; the whole stands alone.
type Shape = (&'static str, &'static str, &'static str, Check);

/// Letters, digits, underscore and hyphen: the alphabet of most keys.
const WORD: &str = "[A-Za-z0-9_-]";

/// Prefixes and lengths are those that the issuers document; where they give no length, or change it now and then, a length
/// that no word has stands in.
#[rustfmt::skip]
const SHAPES: &[Shape] = &[
    // Clouds.
    ("AWS access key", "(?:AKIA|ASIA|ABIA|ACCA)", "[A-Z0-9]{16}", always),
    ("Google API key", "AIza", "[A-Za-z0-9_-]{33,40}", always),
    ("Google OAuth secret", "(?:GOCSPX-|ya29\\.)", "[A-Za-z0-9_-]{20,}", always),
    ("Alibaba access key", "LTAI", "[A-Za-z0-9]{16,24}", drawn),
    ("Azure client secret", "[A-Za-z0-9_~.-]{3}[0-9]Q~", "[A-Za-z0-9_~.-]{30,36}", always),
    ("DigitalOcean token", "do[opr]_v1_", "[0-9a-f]{64}", always),
    ("Databricks token", "dapi", "[0-9a-f]{32}(?:-[0-9]+)?", always),
    ("Heroku key", "HRKU-", "[A-Za-z0-9_-]{30,}", always),
    ("Fly token", "(?:fo1_|fm[12][ar]?_)", "[A-Za-z0-9_+/=-]{30,}", drawn),
    ("Vercel token", "vc[pciakr]_", "[A-Za-z0-9]{24,}", always),
    ("Netlify token", "nfp_", "[A-Za-z0-9]{30,}", always),
    ("Render key", "rnd_", "[A-Za-z0-9]{24,}", drawn),
    ("Supabase key", "(?:sb[ps]_[0-9a-f]{4}|sb_secret_)", "[A-Za-z0-9_-]{20,}", always),
    ("PlanetScale token", "pscale_(?:tkn|pw|oauth)_", "[A-Za-z0-9_.=-]{20,}", always),
    ("Pulumi token", "pul-", "[0-9a-f]{40}", always),
    ("Terraform token", "[A-Za-z0-9]{14}\\.atlasv1\\.", "[A-Za-z0-9_=-]{60,}", always),
    ("Tailscale key", "tskey-", "[A-Za-z0-9-]{16,}", drawn),
    // Code, packages, continuous integration.
    ("GitHub token", "gh[pousr]_", "[A-Za-z0-9]{30,}", always),
    ("GitHub token", "github_pat_", "[A-Za-z0-9_]{30,}", always),
    ("GitLab token", "gl(?:pat|rt|dt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-", "[A-Za-z0-9_.-]{18,}", drawn),
    ("Bitbucket token", "(?:ATBB|ATCTT3)", "[A-Za-z0-9_=-]{24,}", drawn),
    ("Atlassian token", "ATATT3", "[A-Za-z0-9_=-]{40,}", always),
    ("npm token", "npm_", "[A-Za-z0-9]{36}", always),
    ("PyPI token", "pypi-", "[A-Za-z0-9_-]{40,}", drawn),
    ("package registry token", "cio", "[A-Za-z0-9]{32}", drawn),
    ("RubyGems key", "rubygems_", "[0-9a-f]{40,}", always),
    ("NuGet key", "oy2", "[a-z0-9]{43}", drawn),
    ("Clojars token", "CLOJARS_", "[a-z0-9]{60}", always),
    ("Docker token", "dckr_[op]at_", "[A-Za-z0-9_-]{20,}", always),
    ("CircleCI token", "CCIPAT_", "[A-Za-z0-9_]{30,}", always),
    ("Buildkite token", "bk(?:ua|ct)_", "[0-9a-f]{40}", always),
    ("SonarQube token", "sq[apu]_", "[0-9a-f]{40}", always),
    ("Postman key", "PMAK-", "[A-Za-z0-9-]{40,}", drawn),
    // Models and search.
    ("OpenAI or similar key", "sk-", "[A-Za-z0-9_-]{20,}", drawn),
    ("Hugging Face token", "(?:hf_|api_org_)", "[A-Za-z0-9]{30,}", always),
    ("Replicate token", "r8_", "[A-Za-z0-9]{30,}", always),
    ("Groq key", "gsk_", "[A-Za-z0-9]{40,}", always),
    ("xAI key", "xai-", "[A-Za-z0-9]{40,}", always),
    ("Cerebras key", "csk-", "[A-Za-z0-9]{30,}", drawn),
    ("NVIDIA key", "nvapi-", "[A-Za-z0-9_-]{40,}", always),
    ("Perplexity key", "pplx-", "[A-Za-z0-9]{32,}", always),
    ("Tavily key", "tvly-", "[A-Za-z0-9_-]{20,}", drawn),
    ("Jina key", "jina_", "[A-Za-z0-9_-]{40,}", always),
    ("LangSmith key", "lsv2_[a-z]{2}_", "[0-9a-f_]{32,}", always),
    ("ElevenLabs key", "sk_", "[0-9a-f]{48}", always),
    // Money and messages.
    ("Stripe key", "(?:sk|rk)_(?:live|test|prod)_", "[A-Za-z0-9]{10,}", always),
    ("webhook secret", "whsec_", "[A-Za-z0-9+/=]{24,}", always),
    ("Square token", "(?:EAAA|sq0(?:atp|csp|idp)-)", "[A-Za-z0-9_-]{22,}", drawn),
    ("Shopify token", "shp(?:at|ca|pa|ss|ut)_", "[0-9a-fA-F]{32}", always),
    ("Flutterwave key", "FLWSECK(?:_TEST)?-", "[0-9a-zA-Z]{12,}", drawn),
    ("Twilio key", "SK", "[0-9a-f]{32}", always),
    ("SendGrid key", "SG\\.", "[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}", always),
    ("Mailgun key", "key-", "[0-9a-f]{32}", always),
    ("Mailchimp key", "[0-9a-f]{32}-us", "[0-9]{1,2}", always),
    ("Brevo key", "xkeysib-", "[0-9a-f]{64}-[A-Za-z0-9]{16}", always),
    ("Slack token", "(?:xox[abeoprs]|xapp)-", "[A-Za-z0-9-]{20,}", drawn),
    ("Telegram token", "[0-9]{8,10}:AA", "[A-Za-z0-9_-]{31,35}", always),
    ("Discord token", "[MNO][A-Za-z0-9_-]{22,28}\\.", "[A-Za-z0-9_-]{6,7}\\.[A-Za-z0-9_-]{25,}", always),
    // Work.
    ("Linear key", "lin_(?:api|oauth)_", "[A-Za-z0-9]{30,}", always),
    ("Notion token", "(?:ntn_|secret_)", "[A-Za-z0-9]{40,}", always),
    ("Airtable token", "pat[A-Za-z0-9]{14}\\.", "[0-9a-f]{64}", always),
    ("HubSpot token", "pat-(?:na|eu)[0-9]-", "[0-9a-f-]{36}", always),
    ("Asana token", "[0-9]/[0-9]{16}:", "[0-9a-f]{32}", always),
    ("Figma token", "fig[dou]r?_", "[A-Za-z0-9_-]{36,}", always),
    ("Dropbox token", "sl\\.", "[A-Za-z0-9_=-]{100,}", always),
    ("Contentful token", "CFPAT-", "[A-Za-z0-9_-]{40,}", always),
    ("Typeform token", "tfp_", "[A-Za-z0-9_.=-]{40,}", always),
    ("Mapbox secret", "sk\\.eyJ", "[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{16,}", always),
    // Watching and keeping.
    ("Grafana token", "glsa_", "[A-Za-z0-9]{32}_[0-9a-fA-F]{8}", always),
    ("Grafana token", "glc_", "[A-Za-z0-9+/=]{32,}", drawn),
    ("New Relic key", "NR(?:AK|II|RA|JS|AL|IQ)-", "[A-Za-z0-9]{19,}", always),
    ("Dynatrace token", "dt0[a-z][0-9]{2}\\.", "[A-Z0-9]{24}\\.[A-Z0-9]{64}", always),
    ("Sentry token", "sntry[su]_", "[A-Za-z0-9+/=_-]{40,}", always),
    ("Vault token", "hv[sbr]\\.", "[A-Za-z0-9_-]{20,}", drawn),
    ("Doppler token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.", "[A-Za-z0-9_.-]{30,}", drawn),
    ("1Password token", "ops_eyJ", "[A-Za-z0-9_=-]{40,}", always),
    ("age key", "AGE-SECRET-KEY-1", "[0-9A-Z]{50,}", always),
    ("Artifactory key", "(?:AKCp|cmVmdGtu)", "[A-Za-z0-9]{40,}", drawn),
    ("OpenShift token", "sha256~", "[A-Za-z0-9_-]{43}", drawn),
    ("JSON web token", "eyJ", "[A-Za-z0-9_-]{8,}\\.(?:eyJ[A-Za-z0-9_-]{4,}\\.[A-Za-z0-9_-]+|[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]+){3})", always),
];

/// What is looked for first of shapes whose beginning is not told by its own letters: shorter, so that the automaton of all stays small.
/// One that has to count letters multiplies it; such a pattern is quicker tried on every text.
const LOOKS: &[(&str, &str)] = &[
    ("Azure client secret", "[0-9]Q~"),
    ("Terraform token", "\\.atlasv1\\."),
    ("Mailchimp key", "[0-9a-f]-us[0-9]"),
    ("Telegram token", "[0-9]:AA"),
    ("Discord token", "\\A"),
];

/// The patterns. A shape stands alone in front; behind, it takes what touches it, so that no tail of a secret stays.
pub(super) fn rows() -> impl Iterator<Item = Row> {
    SHAPES.iter().map(|(kind, begins, goes_on, check)| Row {
        kind,
        look: LOOKS
            .iter()
            .find(|(of, _)| of == kind)
            .map_or_else(|| format!("(?:{begins})"), |(_, look)| (*look).to_owned()),
        pattern: format!("(?:{begins}){goes_on}{WORD}*"),
        check: *check,
        alone: true,
    })
}
