//! Signatures of news agencies and press-release services.

/// Characters at the beginning of a text in which a dateline stands, and at its end in which a credit stands.
const BEGINNING: usize = 700;
const END: usize = 500;

struct Agency {
    name: &'static str,
    /// Marks as they stand in datelines and credits; letters as they are.
    marks: &'static [&'static str],
    /// As an author, in lower case: the whole name.
    authors: &'static [&'static str],
}

const AGENCIES: &[Agency] = &[
    Agency {
        name: "Reuters",
        marks: &[
            "(Reuters)",
            "(Thomson Reuters)",
            "© Reuters",
            "Source: Reuters",
            "via Reuters",
            "/Reuters",
        ],
        authors: &["reuters", "thomson reuters"],
    },
    Agency {
        name: "AP",
        marks: &[
            "(AP)",
            "The Associated Press. All rights",
            "Source: AP",
            "(Associated Press)",
            "via AP",
        ],
        authors: &["ap", "associated press", "the associated press"],
    },
    Agency {
        name: "AFP",
        marks: &["(AFP)", "© AFP", "Agence France-Presse", "Source: AFP", "/AFP", "AFP -"],
        authors: &["afp", "agence france-presse"],
    },
    Agency {
        name: "dpa",
        marks: &["(dpa)", "(dpa/", "dpa-infocom", "© dpa", "Quelle: dpa", "Source: dpa", "dpa:"],
        authors: &["dpa", "deutsche presse-agentur"],
    },
    Agency {
        name: "PA Media",
        marks: &["(PA)", "PA Media", "Press Association"],
        authors: &["pa", "pa media", "press association", "pa news agency"],
    },
    Agency {
        name: "Xinhua",
        marks: &["(Xinhua)", "Source: Xinhua", "Xinhua News Agency"],
        authors: &["xinhua", "xinhua news agency"],
    },
    Agency {
        name: "ANSA",
        marks: &["(ANSA)", "(ANSA-", "© ANSA"],
        authors: &["ansa", "redazione ansa"],
    },
    Agency {
        name: "EFE",
        marks: &["(EFE)", "(EFE).", "© EFE", "Agencia EFE"],
        authors: &["efe", "agencia efe"],
    },
    Agency {
        name: "Kyodo",
        marks: &["(Kyodo)", "KYODO NEWS", "Kyodo News"],
        authors: &["kyodo", "kyodo news"],
    },
    Agency { name: "TASS", marks: &["/TASS/", "(TASS)"], authors: &["tass"] },
    Agency { name: "Yonhap", marks: &["(Yonhap)", "Yonhap News Agency"], authors: &["yonhap"] },
    Agency { name: "PTI", marks: &["(PTI)"], authors: &["pti", "press trust of india"] },
    Agency { name: "APA", marks: &["(APA)", "(APA/", "Quelle: APA"], authors: &["apa"] },
    Agency {
        name: "PR Newswire",
        marks: &["/PRNewswire", "PRNewswire", "PR Newswire"],
        authors: &["pr newswire", "prnewswire"],
    },
    Agency {
        name: "Business Wire",
        marks: &["(BUSINESS WIRE)", "Business Wire", "businesswire.com"],
        authors: &["business wire"],
    },
    Agency {
        name: "GlobeNewswire",
        marks: &["(GLOBE NEWSWIRE)", "GlobeNewswire"],
        authors: &["globenewswire"],
    },
    Agency { name: "ACCESSWIRE", marks: &["ACCESSWIRE"], authors: &["accesswire"] },
    Agency {
        name: "EIN Presswire",
        marks: &["EINPresswire", "EIN Presswire"],
        authors: &["ein presswire"],
    },
    Agency {
        name: "news aktuell",
        marks: &["(ots)", "(ots/", "news aktuell"],
        authors: &["news aktuell"],
    },
];

/// The agency whose report this is by its own word: in the dateline, in a credit at the end, or as its author.
pub(super) fn agency(text: &str, author: Option<&str>) -> Option<&'static str> {
    let author = author.map(|name| name.trim().to_lowercase());
    let by_author = AGENCIES
        .iter()
        .find(|agency| author.as_deref().is_some_and(|name| agency.authors.contains(&name)));
    if let Some(agency) = by_author {
        return Some(agency.name);
    }
    let beginning = text.get(..text.floor_char_boundary(BEGINNING)).unwrap_or(text);
    let end = text.get(text.floor_char_boundary(text.len().saturating_sub(END))..).unwrap_or("");
    // Its style of closing a report, which names the reporters and not the agency.
    if end.contains("Reporting by ") && end.contains("diting by ") {
        return Some("Reuters");
    }
    let first = |part: &str| {
        let places = AGENCIES.iter().filter_map(|agency| {
            let at = agency.marks.iter().filter_map(|mark| whole(part, mark)).min()?;
            Some((at, agency.name))
        });
        places.min().map(|(_, name)| name)
    };
    first(beginning).or_else(|| first(end))
}

/// Where a mark stands that is not part of a longer word.
fn whole(text: &str, mark: &str) -> Option<usize> {
    text.match_indices(mark).map(|(at, _)| at).find(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + mark.len()..].chars().next();
        let joined = |inner: Option<char>, outer: Option<char>| {
            inner.is_some_and(char::is_alphanumeric) && outer.is_some_and(char::is_alphanumeric)
        };
        !joined(mark.chars().next(), before) && !joined(mark.chars().next_back(), after)
    })
}
