//! A strict JSON reader, enough for `cargo metadata` and for checking the lines of a question key.

/// How deep arrays and objects may nest; the reader recurses.
const MAX_DEPTH: usize = 64;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// Kept as written: nobody here computes with it.
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        let Json::Object(members) = self else { return None };
        members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub(crate) fn str(&self) -> Option<&str> {
        if let Json::String(text) = self { Some(text) } else { None }
    }

    pub(crate) fn array(&self) -> &[Json] {
        if let Json::Array(items) = self { items } else { &[] }
    }
}

/// Reads exactly one value; anything after it is an error.
pub(crate) fn parse(text: &str) -> Result<Json, String> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.space();
    if reader.at < text.len() { reader.fail("something follows the value") } else { Ok(value) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn fail<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("{what} (byte {})", self.at))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        if found {
            self.at += word.len();
        }
        found
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth > MAX_DEPTH {
            return self.fail("nested too deeply");
        }
        self.space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.string().map(Json::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.eat("null") => Ok(Json::Null),
            _ if self.eat("true") => Ok(Json::Bool(true)),
            _ if self.eat("false") => Ok(Json::Bool(false)),
            Some(_) => self.fail("not a JSON value"),
            None => self.fail("the text ends where a value should stand"),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        self.at += 1;
        let mut members: Vec<(String, Json)> = Vec::new();
        self.space();
        if self.eat("}") {
            return Ok(Json::Object(members));
        }
        loop {
            self.space();
            let name = self.string()?;
            if members.iter().any(|(known, _)| *known == name) {
                return self.fail(&format!("the key {name:?} stands twice"));
            }
            self.space();
            if !self.eat(":") {
                return self.fail("a colon is missing");
            }
            let value = self.value(depth + 1)?;
            members.push((name, value));
            self.space();
            if self.eat("}") {
                return Ok(Json::Object(members));
            }
            if !self.eat(",") {
                return self.fail("a comma or a closing brace is missing");
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json, String> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.eat("]") {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            if self.eat("]") {
                return Ok(Json::Array(items));
            }
            if !self.eat(",") {
                return self.fail("a comma or a closing bracket is missing");
            }
        }
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        self.eat("-");
        if !self.eat("0") && self.digits() == 0 {
            return self.fail("a digit is missing");
        }
        if self.eat(".") && self.digits() == 0 {
            return self.fail("a digit is missing after the point");
        }
        if self.eat("e") || self.eat("E") {
            let _sign = self.eat("+") || self.eat("-");
            if self.digits() == 0 {
                return self.fail("a digit is missing in the exponent");
            }
        }
        if matches!(self.peek(), Some(b'0'..=b'9')) {
            return self.fail("a number does not begin with a zero");
        }
        Ok(Json::Number(self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }

    fn string(&mut self) -> Result<String, String> {
        if !self.eat("\"") {
            return self.fail("a quoted string is missing");
        }
        let mut out = String::new();
        loop {
            let Some(next) = self.text[self.at..].chars().next() else {
                return self.fail("a string is not closed");
            };
            self.at += next.len_utf8();
            match next {
                '"' => return Ok(out),
                '\\' => out.push(self.escape()?),
                '\0'..='\x1f' => return self.fail("a raw control character in a string"),
                _ => out.push(next),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let Some(byte) = self.peek() else { return self.fail("a string is not closed") };
        let known = match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.at += 1;
                return self.unicode();
            }
            _ => return self.fail("an unknown escape"),
        };
        self.at += 1;
        Ok(known)
    }

    fn unicode(&mut self) -> Result<char, String> {
        let first = self.hex()?;
        let code = if (0xD800..0xDC00).contains(&first) {
            if !self.eat("\\u") {
                return self.fail("half of a surrogate pair");
            }
            let second = self.hex()?;
            if !(0xDC00..0xE000).contains(&second) {
                return self.fail("half of a surrogate pair");
            }
            0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
        } else {
            first
        };
        char::from_u32(code).map_or_else(|| self.fail("half of a surrogate pair"), Ok)
    }

    fn hex(&mut self) -> Result<u32, String> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return self.fail("four hexadecimal digits are missing");
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_kind_of_value() {
        let json =
            parse(r#" {"a":[1,-0.5e+3,true,false,null],"b":{"c":"x\n\u00e9\ud83d\ude00"}} "#);
        let json = json.unwrap();
        assert_eq!(json.get("a").unwrap().array().len(), 5);
        assert_eq!(json.get("a").unwrap().array()[1], Json::Number("-0.5e+3".to_owned()));
        assert_eq!(json.get("b").unwrap().get("c").unwrap().str(), Some("x\né😀"));
        assert_eq!(parse("[]"), Ok(Json::Array(Vec::new())));
    }

    #[test]
    fn refuses_what_is_almost_json() {
        let bad = [
            "",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "'a'",
            "01",
            "1.",
            "-",
            "1e",
            "nul",
            "[1 2]",
            "\"a",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"\\udc00\"",
            "\"\\u12\"",
            "\"a\nb\"",
            "1 2",
            "{\"a\":1,\"a\":2}",
            "\"\\u+123\"",
        ];
        for text in bad {
            assert!(parse(text).is_err(), "accepted {text:?}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
