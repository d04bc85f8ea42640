//! Secrets that are known by where they stand.

use super::{Check, Row, always, entropy, looks_drawn, stands_in};

/// Characters that keys are written in, in a row, from which on a line may be one of a key.
const KEY_LINE: usize = 24;

/// Key blocks: taken out first, whole, so that no line of one is left for another rule. One that never ends goes as
/// far as its lines look like one.
pub(super) fn blocks() -> [Row; 2] {
    let begin = r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----";
    let end = r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----";
    // "\n" may be two characters where the block stands in a JSON text, and a quote of a mail begins its lines with a mark.
    let gap = r"(?:[\s>|]|\\[nrt])";
    // "Proc-Type: 4,ENCRYPTED" stands above some keys.
    let line = r"(?:[A-Za-z][A-Za-z-]{1,20}: [^\r\n\\]{0,100}|[A-Za-z0-9+/=]{16,})";
    let last = r"[A-Za-z0-9+/]{1,15}={1,2}";
    let whole = format!(r"(?s){begin}.*?{end}");
    let open = format!(r"{begin}(?:{gap}+{line})+(?:{gap}+{last})?");
    [whole, open].map(|pattern| Row {
        kind: "private key",
        look: "PRIVATE KEY".to_owned(),
        pattern,
        check: block,
        alone: false,
    })
}

/// Whether lines of a key stand behind the beginning of a block. A text that tells how such a block begins, and how it ends, is none;
/// nor does one reach over the beginning of another.
fn block(found: &str) -> bool {
    let inner = found.trim_start_matches('-').trim_start_matches("BEGIN");
    let is_line = |run: &str| run.len() >= KEY_LINE && looks_drawn(run);
    !inner.contains("-----BEGIN")
        && !inner.contains("removed]")
        && inner
            .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')))
            .any(is_line)
}

/// Names behind which a secret stands, as parts of a longer name: `DB_PASSWORD`, `client_secret`, `"access_token"`.
const NAMES: &str = "pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|\
    private[_-]?key(?:[_-]?id)?|account[_-]?key|shared[_-]?access[_-]?key|signing[_-]?key|\
    encryption[_-]?key|auth[_-]?key|master[_-]?key|deploy[_-]?key|license[_-]?key|credentials?|\
    session[_-]?id|sessid|auth|bearer";

/// Names behind which an address stands that is a secret as a whole.
const ADDRESSES: &str = "dsn|webhook[_-]?url";

/// Rules by place, from the most certain to the least.
pub(super) fn rows() -> impl Iterator<Item = Row> {
    let quote = r#"["'`]"#;
    // A value: nothing that ends one, no bracket that would make it code.
    let value = r#"[^\s"'`,;<>(){}\[\]]"#;
    // What no match is without, what follows it, and what has to hold of the secret.
    let rows: Vec<(&'static str, String, String, Check)> = vec![
        (
            "password in an address",
            r"://[^\s/?#:@]*:".to_owned(),
            // What an address has to write otherwise ends it: a port and a mail behind it are no password.
            r"(?P<secret>[^\s/?#\x22`<>\[\]|]+)@".to_owned(),
            password,
        ),
        (
            "key in an address",
            "://".to_owned(),
            r"(?P<secret>[A-Za-z0-9_-]{16,})@".to_owned(),
            looks_drawn,
        ),
        (
            "webhook address",
            r"hooks\.slack\.com/".to_owned(),
            r"(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9_/-]{20,})".to_owned(),
            always,
        ),
        (
            "webhook address",
            r"discord(?:app)?\.com/api/webhooks/".to_owned(),
            r"[0-9]+/(?P<secret>[A-Za-z0-9_-]{30,})".to_owned(),
            always,
        ),
        (
            "webhook address",
            r"webhook\.office\.com/".to_owned(),
            r"webhookb2/(?P<secret>[A-Za-z0-9@/_-]{40,})".to_owned(),
            always,
        ),
        (
            "signature in an address",
            concat!(
                r"(?i)[?&](?:sig|signature|x-amz-(?:signature|credential|security-token)|access_token|",
                r"token|api_?key|key|auth|code)="
            )
            .to_owned(),
            r"(?P<secret>[^\s&\x22\x27`<>()\[\]]{12,})".to_owned(),
            assigned,
        ),
        (
            "authorization header",
            format!(r"(?i)authorization{quote}?\s*[:=]"),
            format!(r"\s*{quote}?(?:[A-Za-z][A-Za-z0-9-]{{2,20}}\s+)(?P<secret>{value}{{6,}})"),
            header,
        ),
        (
            "bearer token",
            r"(?i)bearer\s".to_owned(),
            r"\s*(?P<secret>[A-Za-z0-9._~+/=-]{20,})".to_owned(),
            looks_drawn,
        ),
        (
            "cookie",
            r"(?i)cookie\s*:".to_owned(),
            concat!(
                r"\s*(?P<secret>[A-Za-z0-9_.-]+=[^\s\x22\x27;]+",
                r"(?:;\s*[A-Za-z0-9_.-]+(?:=[^\s\x22\x27;]*)?)*)"
            )
            .to_owned(),
            cookie,
        ),
        (
            "secret of a command",
            r"(?i)-(?:password|passwd|token|secret|api-?key|access-?key|auth)(?:\s|=)".to_owned(),
            format!(r"\s*{quote}?(?P<secret>{value}{{6,}})"),
            assigned,
        ),
        (
            "secret of a command",
            r"(?:curl|wget|http)\s".to_owned(),
            format!(r"[^\r\n]{{0,200}}?-u\s*{quote}?[^\s:]+:(?P<secret>{value}{{4,}})"),
            password,
        ),
        (
            "quoted secret",
            format!(
                r"(?i)(?:{NAMES})(?:[_-]?(?:key|value|id|hash|b64|base64|[0-9]+))?{quote}?\s*(?::=|=>|[:=])"
            ),
            format!(r"\s*{quote}(?P<secret>{value}{{6,}}){quote}"),
            quoted,
        ),
        (
            "assigned secret",
            format!(r"(?i)(?:{NAMES}){quote}?\s*(?::=|=>|[:=])"),
            format!(r"\s*{quote}?(?P<secret>{value}{{8,}})"),
            assigned,
        ),
        (
            "assigned secret",
            format!(r"(?i)(?:{ADDRESSES}){quote}?\s*(?::=|=>|[:=])"),
            format!(r"\s*{quote}?(?P<secret>{value}{{8,}})"),
            addressed,
        ),
        (
            "password",
            r"(?i)(?:password|passwd|passphrase|pwd)\s*(?:is|was)?\s*[:=]".to_owned(),
            format!(r"\s*(?P<secret>{value}{{5,}})"),
            spoken,
        ),
    ];
    rows.into_iter().map(|(kind, look, behind, check)| Row {
        kind,
        pattern: format!("{look}{behind}"),
        look,
        check,
        alone: false,
    })
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
    addressed(value) && !leads_elsewhere(value)
}

/// The same behind a name of an address.
fn addressed(value: &str) -> bool {
    !stands_in(value) && !is_code(value) && looks_drawn(value)
}

/// An address, which holds a secret at most, and stands behind the last letters of "compass" too; or the second half of `token::of`.
fn leads_elsewhere(value: &str) -> bool {
    value.contains("://") || value.starts_with(':')
}

/// Behind a telling name, in quotation marks: also what has only letters, where it has enough different ones.
fn quoted(value: &str) -> bool {
    let odd = value.chars().any(|c| !c.is_ascii_lowercase() && c != '_' && c != '-');
    !stands_in(value)
        && !is_code(value)
        && !leads_elsewhere(value)
        && odd
        && entropy(value) >= 2.5
        && !is_name(value)
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
