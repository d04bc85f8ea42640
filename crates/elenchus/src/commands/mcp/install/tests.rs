use super::*;
use crate::cli::ClientArg;

fn entry() -> Entry {
    Entry {
        name: "elenchus".to_owned(),
        command: "/opt/elen\"chus".to_owned(),
        arguments: vec!["mcp".to_owned(), "--corpus".to_owned(), "/a b/ä".to_owned()],
    }
}

fn install(client: ClientArg, text: &str) -> String {
    changed(clients::of(client), text, &entry(), Change::Install)
        .unwrap_or_else(|wrong| panic!("{text}\n{wrong:?}"))
}

fn uninstall(client: ClientArg, text: &str) -> String {
    changed(clients::of(client), text, &entry(), Change::Uninstall).unwrap()
}

/// Whether `new` is `old` with pieces put in between, in which order ever: no byte is lost.
fn keeps(old: &str, new: &str) -> bool {
    let mut rest = new.bytes();
    old.bytes().all(|byte| rest.any(|other| other == byte))
}

const JSON: [&str; 8] = [
    "{}",
    "{\n}\n",
    "{\"mcpServers\": {}}",
    "{\n  // mine\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"other\": { \"command\": \"x\" }, // why\n  },\n}\n",
    "{\r\n\t\"a\": [1, 2.50, 1e3],\r\n\t\"mcpServers\": {\r\n\t\t\"other\": {\"command\": \"x\"}\r\n\t}\r\n}\r\n",
    "{\"a\":1,\"mcpServers\":{\"x\":{\"command\":\"y\",\"args\":[]}},\"b\":\"\\u00e4\\/\"}",
    "/* head */ {\n    \"b\": null\n    /* tail */\n}",
    "\u{feff}{ \"mcpServers\" : { } , \"x\" : \"{\" }",
];

#[test]
fn json_keeps_every_foreign_byte() {
    for text in JSON {
        let new = install(ClientArg::Cursor, text);
        assert!(keeps(text.replace(['\n', '\r', ' '], "").as_str(), &new), "{text}\n->\n{new}");
        let plain = new.trim_start_matches('\u{feff}');
        let read =
            jsonc_parser::cst::CstRootNode::parse(plain, &jsonc_parser::ParseOptions::default());
        let value = read.unwrap().to_serde_value().unwrap();
        assert_eq!(value["mcpServers"]["elenchus"]["command"], entry().command, "{new}");
        assert_eq!(value["mcpServers"]["elenchus"]["args"][2], "/a b/ä");
        assert_eq!(install(ClientArg::Cursor, &new), new, "a second time changes something");
        let back = uninstall(ClientArg::Cursor, &new);
        assert!(!back.contains("elenchus"), "{back}");
        assert_eq!(uninstall(ClientArg::Cursor, &back), back);
        assert!(
            !new.contains('\n') || text.contains('\r') == new.contains('\r'),
            "line ends: {new:?}"
        );
    }
}

#[test]
fn a_json_entry_that_differs_is_replaced_and_its_neighbours_stay() {
    let text = "{\n  \"mcpServers\": {\n    \"elenchus\": {\"command\": \"old\"},\n    \"z\": {\"command\": \"z\"} // z\n  }\n}\n";
    let new = install(ClientArg::ClaudeDesktop, text);
    assert!(
        !new.contains("\"old\"") && new.contains("\"z\": {\"command\": \"z\"} // z\n  }\n}\n"),
        "{new}"
    );
    let out = uninstall(ClientArg::ClaudeDesktop, text);
    assert!(
        out.contains("    \"z\": {\"command\": \"z\"} // z\n  }\n}\n") && !out.contains("old"),
        "{out}"
    );
}

#[test]
fn what_is_no_json_is_refused_where_it_stops_making_sense() {
    for (text, line, column) in [
        ("{\n  \"a\": 1\n  \"b\": 2\n}", 2, 9),
        ("{\"a\": }", 1, 7),
        ("[1]", 1, 1),
        ("{\n \"mcpServers\": [] }", 2, 2),
        ("{\"a\": 'x'}", 1, 7),
    ] {
        let wrong =
            changed(clients::of(ClientArg::Cursor), text, &entry(), Change::Install).unwrap_err();
        assert_eq!((wrong.line, wrong.column), (line, column), "{text}: {wrong:?}");
    }
}

const TOML: [&str; 6] = [
    "",
    "# mine\nmodel = 'x'   # why\n\n[profiles.a]\nb = 1_000\n",
    "model = \"x\"\n\n[mcp_servers.other]\ncommand = \"x\"\nargs = [ \"a\",\n  'b' ]\n\n[tui]\ntheme = \"t\"",
    "[mcp_servers]\n\n[mcp_servers.\"o t\"]\ncommand = 'y'\n",
    "mcp_servers.a = { command = \"x\" } # inline\n",
    "a = 1\r\n[b]\r\nc = 0x10\r\n",
];

#[test]
fn toml_keeps_every_foreign_byte() {
    for text in TOML {
        let new = install(ClientArg::Codex, text);
        assert!(keeps(text, &new), "{text}\n->\n{new}");
        let value: ::toml::Table = new.parse().unwrap();
        assert_eq!(value["mcp_servers"]["elenchus"]["args"][2].as_str(), Some("/a b/ä"), "{new}");
        assert_eq!(install(ClientArg::Codex, &new), new);
        let back = uninstall(ClientArg::Codex, &new);
        assert!(!back.contains("elenchus"), "{back}");
        assert!(keeps(text.trim_end(), &back), "{text}\n->\n{back}");
    }
}

#[test]
fn what_is_no_toml_is_refused_where_it_stops_making_sense() {
    let codex = clients::of(ClientArg::Codex);
    let wrong = changed(codex, "a = 1\nb = = 2\n", &entry(), Change::Install).unwrap_err();
    assert_eq!((wrong.line, wrong.column), (2, 5), "{wrong:?}");
    let mixed = changed(codex, "a = 1\r\nb = 2\n", &entry(), Change::Install).unwrap_err();
    assert!(mixed.cause.contains("line"), "{mixed:?}");
    assert!(changed(codex, "mcp_servers = 3\n", &entry(), Change::Install).is_err());
}

const YAML: [&str; 8] = [
    "",
    "# mine\nGOOSE_MODEL: x # why\n",
    "GOOSE_MODEL: x\nextensions:\n  # the developer's\n  developer:\n    enabled: true\n    type: builtin\n\nother:\n  - a\n  - b: |\n      text\n      more\n",
    "extensions:\n    a:\n        type: stdio\n        args: [x, 'y']\nz: 1",
    "extensions: {}\nz: 1\n",
    "extensions:\nz: 1\n",
    "z: 1\r\nextensions:\r\n  a:\r\n    cmd: x\r\n",
    "---\nz: \"1\"\n",
];

#[test]
fn yaml_keeps_every_foreign_byte() {
    for text in YAML {
        let new = install(ClientArg::Goose, text);
        assert!(keeps(&text.replace(" {}", ""), &new), "{text}\n->\n{new}");
        assert!(new.contains("cmd: \"/opt/elen\\\"chus\""), "{new}");
        assert_eq!(install(ClientArg::Goose, &new), new, "a second time changes something");
        let back = uninstall(ClientArg::Goose, &new);
        assert!(!back.contains("elenchus"), "{back}");
        if text.contains("  a") || text.contains("developer") {
            assert_eq!(back, text, "it comes back as it was");
        }
    }
}

#[test]
fn a_yaml_entry_that_differs_is_replaced_and_its_neighbours_stay() {
    let text = "extensions:\n  a:\n    cmd: a\n  elenchus:\n    cmd: old\n    args:\n    - x\n  # of z\n  z:\n    cmd: z\n";
    let new = install(ClientArg::Goose, text);
    assert!(!new.contains("old"), "{new}");
    assert!(new.starts_with("extensions:\n  a:\n    cmd: a\n  elenchus:\n"), "{new}");
    assert!(new.ends_with("  # of z\n  z:\n    cmd: z\n"), "{new}");
    assert_eq!(
        uninstall(ClientArg::Goose, text),
        "extensions:\n  a:\n    cmd: a\n  # of z\n  z:\n    cmd: z\n"
    );
}

#[test]
fn what_is_no_yaml_is_refused_where_it_stops_making_sense() {
    let goose = clients::of(ClientArg::Goose);
    for (text, line) in [
        ("a: 1\nb: [1, 2\nc: 3\n", 3),
        ("- a\n", 1),
        ("a: 1\nextensions:\n  - x\n", 3),
        ("extensions: {a: {cmd: x}}\n", 1),
        ("a: 1\n---\nb: 2\n", 2),
    ] {
        let wrong = changed(goose, text, &entry(), Change::Install).unwrap_err();
        assert_eq!(wrong.line, line, "{text}: {wrong:?}");
    }
}

#[cfg(unix)]
#[test]
fn the_file_keeps_its_permissions_and_a_link_stays_one() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real.json"), folder.path().join("link.json"));
    fs::write(&real, "{}").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let args = McpInstallArgs {
        client: Some(ClientArg::Cursor),
        bundle: None,
        binary: None,
        force: false,
        skill: None,
        print: false,
        uninstall: false,
        file: Some(link.clone()),
        name: "elenchus".to_owned(),
        corpus: None,
        project: Some("p".to_owned()),
    };
    run(&args, &Terminal::silent()).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::read_to_string(&real).unwrap().contains("--project"));
    let real = real.canonicalize().unwrap();
    assert_eq!(fs::read_to_string(first_backup(&real)).unwrap(), "{}");
    assert!(!last_backup(&real).exists());
    // However often it is changed, the file of the beginning is not lost, nor is the last one.
    for (project, last) in [("q", "\"p\""), ("r", "\"q\"")] {
        let again = McpInstallArgs {
            client: Some(ClientArg::Cursor),
            bundle: None,
            binary: None,
            force: false,
            skill: None,
            print: false,
            uninstall: false,
            file: Some(link.clone()),
            name: "elenchus".to_owned(),
            corpus: None,
            project: Some(project.to_owned()),
        };
        run(&again, &Terminal::silent()).unwrap();
        assert_eq!(fs::read_to_string(first_backup(&real)).unwrap(), "{}");
        let kept = fs::read_to_string(last_backup(&real)).unwrap();
        assert!(kept.contains(last), "{kept}");
    }
}
