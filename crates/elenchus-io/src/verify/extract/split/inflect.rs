//! Forms of verbs and nouns.

use super::chunk::Form;
use crate::wordnet::{Part, WordNet};

/// Past and participle of verbs that do not take "-ed", with the plain form.
const IRREGULAR: &[(&str, &str, &str)] = &[
    ("arise", "arose", "arisen"),
    ("bear", "bore", "born"),
    ("beat", "beat", "beaten"),
    ("become", "became", "become"),
    ("begin", "began", "begun"),
    ("bind", "bound", "bound"),
    ("break", "broke", "broken"),
    ("bring", "brought", "brought"),
    ("build", "built", "built"),
    ("buy", "bought", "bought"),
    ("catch", "caught", "caught"),
    ("choose", "chose", "chosen"),
    ("come", "came", "come"),
    ("cut", "cut", "cut"),
    ("deal", "dealt", "dealt"),
    ("do", "did", "done"),
    ("draw", "drew", "drawn"),
    ("drive", "drove", "driven"),
    ("eat", "ate", "eaten"),
    ("fall", "fell", "fallen"),
    ("feed", "fed", "fed"),
    ("feel", "felt", "felt"),
    ("fight", "fought", "fought"),
    ("find", "found", "found"),
    ("fly", "flew", "flown"),
    ("forget", "forgot", "forgotten"),
    ("get", "got", "got"),
    ("give", "gave", "given"),
    ("go", "went", "gone"),
    ("grow", "grew", "grown"),
    ("have", "had", "had"),
    ("hear", "heard", "heard"),
    ("hide", "hid", "hidden"),
    ("hit", "hit", "hit"),
    ("hold", "held", "held"),
    ("keep", "kept", "kept"),
    ("know", "knew", "known"),
    ("lay", "laid", "laid"),
    ("lead", "led", "led"),
    ("leave", "left", "left"),
    ("lend", "lent", "lent"),
    ("let", "let", "let"),
    ("lie", "lay", "lain"),
    ("lose", "lost", "lost"),
    ("make", "made", "made"),
    ("mean", "meant", "meant"),
    ("meet", "met", "met"),
    ("overcome", "overcame", "overcome"),
    ("oversee", "oversaw", "overseen"),
    ("pay", "paid", "paid"),
    ("put", "put", "put"),
    ("read", "read", "read"),
    ("ride", "rode", "ridden"),
    ("rise", "rose", "risen"),
    ("run", "ran", "run"),
    ("say", "said", "said"),
    ("see", "saw", "seen"),
    ("seek", "sought", "sought"),
    ("sell", "sold", "sold"),
    ("send", "sent", "sent"),
    ("set", "set", "set"),
    ("shoot", "shot", "shot"),
    ("show", "showed", "shown"),
    ("sing", "sang", "sung"),
    ("sit", "sat", "sat"),
    ("sleep", "slept", "slept"),
    ("speak", "spoke", "spoken"),
    ("spend", "spent", "spent"),
    ("spread", "spread", "spread"),
    ("stand", "stood", "stood"),
    ("steal", "stole", "stolen"),
    ("strike", "struck", "struck"),
    ("swear", "swore", "sworn"),
    ("swim", "swam", "swum"),
    ("take", "took", "taken"),
    ("teach", "taught", "taught"),
    ("tell", "told", "told"),
    ("think", "thought", "thought"),
    ("throw", "threw", "thrown"),
    ("understand", "understood", "understood"),
    ("undergo", "underwent", "undergone"),
    ("wear", "wore", "worn"),
    ("win", "won", "won"),
    ("withdraw", "withdrew", "withdrawn"),
    ("write", "wrote", "written"),
];

/// The form of a verb that has no helper before it.
pub(super) fn form(lower: &str) -> Form {
    if lower.len() > 4 && lower.ends_with("ing") {
        return Form::Ing;
    }
    for (plain, past, participle) in IRREGULAR {
        if lower == *past {
            return if past == plain {
                Form::Base
            } else if past == participle {
                Form::Past
            } else {
                Form::Finite
            };
        }
        if lower == *participle {
            return if participle == plain { Form::Base } else { Form::Participle };
        }
    }
    if lower.len() > 3 && lower.ends_with("ed") && lower != "need" && !lower.ends_with("eed") {
        return Form::Past;
    }
    if lower.ends_with('s') && !lower.ends_with("ss") {
        return Form::Finite;
    }
    Form::Base
}

/// The plain form of "-ing": "appearing" gives "appear", "making" "make", "running" "run".
pub(super) fn plain_of_ing(lower: &str) -> Option<String> {
    let root = lower.strip_suffix("ing").filter(|root| root.len() >= 2)?;
    let wordnet = WordNet::builtin();
    let known = |word: &str| {
        let read = wordnet.lookup(word);
        read.is_lemma()
            && wordnet.lemmas(&read).any(|(lemma, part)| lemma == word && part == Part::Verb)
    };
    let with_e = format!("{root}e");
    let bytes = root.as_bytes();
    let doubled = bytes.len() > 2 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2];
    let single = &root[..root.len() - root.chars().next_back().map_or(0, char::len_utf8)];
    if known(root) {
        return Some(root.to_owned());
    }
    if known(&with_e) {
        return Some(with_e);
    }
    if doubled && known(single) {
        return Some(single.to_owned());
    }
    None
}

/// The past of a plain form.
pub(super) fn past(plain: &str) -> String {
    if let Some((_, past, _)) = IRREGULAR.iter().find(|(known, ..)| *known == plain) {
        return (*past).to_owned();
    }
    if plain.ends_with('e') {
        return format!("{plain}d");
    }
    let mut back = plain.chars().rev();
    let (last, before, third) =
        (back.next().unwrap_or(' '), back.next().unwrap_or(' '), back.next());
    if last == 'y' && !is_vowel(before) {
        return format!("{}ied", &plain[..plain.len() - 1]);
    }
    let short = plain.chars().filter(|c| is_vowel(*c)).count() == 1;
    if short
        && is_vowel(before)
        && !is_vowel(last)
        && !matches!(last, 'w' | 'x' | 'y')
        && !third.is_some_and(is_vowel)
    {
        return format!("{plain}{last}ed");
    }
    format!("{plain}ed")
}

/// "works" of "work".
pub(super) fn third_person(plain: &str) -> String {
    match plain {
        "have" => return "has".to_owned(),
        "be" | "are" => return "is".to_owned(),
        "were" => return "was".to_owned(),
        _ => {}
    }
    if plain.ends_with(['s', 'x', 'o']) || plain.ends_with("ch") || plain.ends_with("sh") {
        return format!("{plain}es");
    }
    match plain.strip_suffix('y') {
        Some(root) if !root.ends_with(is_vowel) => format!("{root}ies"),
        _ => format!("{plain}s"),
    }
}

/// The singular of a plural noun, if it is one by form.
pub(super) fn singular(lower: &str) -> Option<String> {
    if matches!(lower, "series" | "species" | "news" | "means" | "politics") {
        return None;
    }
    if let Some(root) = lower.strip_suffix("ies") {
        return Some(if root.len() <= 2 { format!("{root}ie") } else { format!("{root}y") });
    }
    for tail in ["sses", "shes", "ches", "xes"] {
        if lower.ends_with(tail) {
            return Some(lower[..lower.len() - 2].to_owned());
        }
    }
    match lower {
        "people" => return Some("person".to_owned()),
        "men" => return Some("man".to_owned()),
        "women" => return Some("woman".to_owned()),
        "children" => return Some("child".to_owned()),
        _ => {}
    }
    let root = lower.strip_suffix('s')?;
    (root.len() > 2 && !root.ends_with(['s', 'u', 'i'])).then(|| root.to_owned())
}

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u')
}

/// "a" or "an" before a word.
pub(super) fn article(next: &str) -> &'static str {
    let lower = next.to_lowercase();
    let first = lower.chars().find(|c| c.is_alphanumeric()).unwrap_or(' ');
    let silent = ["hour", "honor", "honour", "honest", "heir"].iter().any(|h| lower.starts_with(h));
    let you = ["uni", "use", "usu", "eu", "one", "once", "uk", "us "]
        .iter()
        .any(|u| lower.starts_with(u));
    if silent || is_vowel(first) && (!you || lower.starts_with("unin") || lower.starts_with("unim"))
    {
        "an"
    } else {
        "a"
    }
}
