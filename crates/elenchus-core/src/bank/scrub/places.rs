//! Secrets that are known by where they stand.

use super::{Check, Row, always, entropy, looks_drawn, stands_in};

/// Key blocks: taken out first, whole, so that no line of one is left for another rule. One that never ends goes as
/// far as its lines look like one.
pub(super) fn blocks() -> [Row; 2] {
    let begin = r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----";
    let end = r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----";
    // "\n" may be two characters where the block stands in a JSON text.
    let body = r"(?:[A-Za-z0-9+/=\s:,.-]|\\[nrt])";
    let whole = format!(r"(?s){begin}.*?{end}");
    let open = format!(r"{begin}{body}{{16,}}");
    let any: Check = |_| true;
    [whole, open].map(|pattern| Row { kind: "private key", pattern, check: any, alone: false })
}

/// Names behind which a secret stands, as parts of a longer name: `DB_PASSWORD`, `client_secret`, `"access_token"`.
const NAMES: &str = "pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|\
    private[_-]?key(?:[_-]?id)?|account[_-]?key|shared[_-]?access[_-]?key|signing[_-]?key|\
    encryption[_-]?key|auth[_-]?key|master[_-]?key|deploy[_-]?key|license[_-]?key|credentials?|\
    session[_-]?id|sessid|auth|bearer|dsn|webhook[_-]?url";

/// Rules by place, from the most certain to the least.
pub(super) fn rows() -> impl Iterator<Item = Row> {
    let quote = r#"["'`]"#;
    // A value: nothing that ends one, no bracket that would make it code.
    let value = r#"[^\s"'`,;<>(){}\[\]]"#;
    let rows: Vec<(&'static str, String, Check)> = vec![
        (
            "password in an address",
            r"://[^\s/?#:@]*:(?P<secret>[^\s/?#]+)@".to_owned(),
            password,
        ),
        (
            "key in an address",
            r"://(?P<secret>[A-Za-z0-9_-]{16,})@".to_owned(),
            looks_drawn,
        ),
        (
            "webhook address",
            r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9_/-]{20,})"
                .to_owned(),
            always,
        ),
        (
            "webhook address",
            r"discord(?:app)?\.com/api/webhooks/[0-9]+/(?P<secret>[A-Za-z0-9_-]{30,})".to_owned(),
            always,
        ),
        (
            "webhook address",
            r"webhook\.office\.com/webhookb2/(?P<secret>[A-Za-z0-9@/_-]{40,})".to_owned(),
            always,
        ),
        (
            "signature in an address",
            concat!(
                r"(?i)[?&](?:sig|signature|x-amz-(?:signature|credential|security-token)|access_token|",
                r"token|api_?key|key|auth|code)=(?P<secret>[^\s&\x22\x27`<>]{12,})"
            )
            .to_owned(),
            assigned,
        ),
        (
            "authorization header",
            format!(
                r"(?i)authorization{quote}?\s*[:=]\s*{quote}?(?:[A-Za-z][A-Za-z0-9-]{{2,20}}\s+)(?P<secret>{value}{{6,}})"
            ),
            header,
        ),
        (
            "bearer token",
            r"(?i)bearer\s+(?P<secret>[A-Za-z0-9._~+/=-]{20,})".to_owned(),
            looks_drawn,
        ),
        (
            "cookie",
            concat!(
                r"(?i)cookie\s*:\s*",
                r"(?P<secret>[A-Za-z0-9_.-]+=[^\s\x22\x27;]+(?:;\s*[A-Za-z0-9_.-]+(?:=[^\s\x22\x27;]*)?)*)"
            )
            .to_owned(),
            cookie,
        ),
        (
            "secret of a command",
            format!(
                r"(?i)-(?:password|passwd|token|secret|api-?key|access-?key|auth)(?:\s+|=){quote}?(?P<secret>{value}{{6,}})"
            ),
            assigned,
        ),
        (
            "secret of a command",
            format!(
                r"(?:curl|wget|http)\s[^\r\n]{{0,200}}?-u\s*{quote}?[^\s:]+:(?P<secret>{value}{{4,}})"
            ),
            password,
        ),
        (
            "quoted secret",
            format!(
                r"(?i)(?:{NAMES})(?:[_-]?(?:key|value|id|hash|b64|base64|[0-9]+))?{quote}?\s*(?::=|=>|[:=])\s*{quote}(?P<secret>{value}{{6,}}){quote}"
            ),
            quoted,
        ),
        (
            "assigned secret",
            format!(
                r"(?i)(?:{NAMES}){quote}?\s*(?::=|=>|[:=])\s*{quote}?(?P<secret>{value}{{8,}})"
            ),
            assigned,
        ),
        (
            "password",
            format!(
                r"(?i)(?:password|passwd|passphrase|pwd)\s*(?:is|was)?\s*[:=]\s*(?P<secret>{value}{{5,}})"
            ),
            spoken,
        ),
    ];
    rows.into_iter().map(|(kind, pattern, check)| Row { kind, pattern, check, alone: false })
}

/// A reference to a variable or a call rather than a value: `os.environ`, `config.token`, `getPassword`.
fn is_code(value: &str) -> bool {
    let parts: Vec<&str> = value.split(['.', ':']).collect();
    let names = |part: &&str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
            && (!looks_drawn(part) || part.chars().all(|c| c.is_uppercase() || c == '_'))
    };
    parts.len() >= 2 && parts.iter().all(names)
}

/// Between `user:` and `@`: any password that does not say that it is none.
fn password(value: &str) -> bool {
    let plain = value.to_lowercase();
    !stands_in(value) && !matches!(plain.as_str(), "password" | "pass" | "pw" | "pwd" | "secret")
}

/// Behind a telling name, without quotation marks: nothing that could be a word or code.
fn assigned(value: &str) -> bool {
    !stands_in(value) && !is_code(value) && looks_drawn(value)
}

/// Behind a telling name, in quotation marks: also what has only letters, where it has enough different ones.
fn quoted(value: &str) -> bool {
    let odd = value.chars().any(|c| !c.is_ascii_lowercase() && c != '_' && c != '-');
    !stands_in(value) && !is_code(value) && odd && entropy(value) >= 2.5 && !is_name(value)
}

/// `API_KEY`, `AccessToken`, `Password`: the name of a thing rather than the thing.
fn is_name(value: &str) -> bool {
    !looks_drawn(value) && value.chars().all(|c| c.is_ascii_alphabetic() || c == '_' || c == '-')
}

/// Behind `Authorization: Scheme`.
fn header(value: &str) -> bool {
    !stands_in(value) && entropy(value) >= 2.5 && (looks_drawn(value) || value.len() >= 24)
}

/// Behind `Cookie:`: some value in it is no word.
fn cookie(value: &str) -> bool {
    value
        .split(['=', ';', ' '])
        .any(|part| part.len() >= 12 && !stands_in(part) && looks_drawn(part))
}

/// Behind "password:" in running text: a digit or a sign among letters tells it from the word that follows a colon.
fn spoken(value: &str) -> bool {
    let plain = value.trim_end_matches(['.', '!', '?']);
    let letters = plain.chars().any(char::is_alphabetic);
    let others =
        plain.chars().any(|c| !c.is_alphabetic() && !matches!(c, '-' | '_' | '/' | '.' | '*'));
    letters && others && plain.chars().count() >= 5 && !stands_in(plain) && !is_code(plain)
}
