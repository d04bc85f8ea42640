//! The relations of the file, and what to do about one that cannot be used.

use crate::migrate::{Schema, Unusable};

/// The file of snapshots, told by "ELNW".
pub(super) static SCHEMA: Schema = Schema {
    application_id: 0x454C_4E57,
    migrations: &[("snapshots and visits", FIRST), ("pages of allowed hosts", SECOND)],
};

const FIRST: &str = "
CREATE TABLE snapshots (
    id           INTEGER PRIMARY KEY,
    source_id    TEXT    NOT NULL,
    path         TEXT    NOT NULL,
    url          TEXT    NOT NULL,
    requested    TEXT    NOT NULL,
    content_hash TEXT    NOT NULL,
    text_hash    TEXT    NOT NULL,
    content_type TEXT,
    headers      TEXT    NOT NULL,
    extraction   INTEGER NOT NULL,
    source       TEXT    NOT NULL,
    reading      BLOB    NOT NULL,
    body         BLOB    NOT NULL,
    last_at      INTEGER NOT NULL,
    UNIQUE (url, content_hash, text_hash)
) STRICT;
CREATE INDEX snapshots_by_source ON snapshots (source_id, content_hash);
CREATE INDEX snapshots_by_age ON snapshots (last_at);

CREATE TABLE visits (
    snapshot  INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    address   TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (address, at, snapshot)
) STRICT, WITHOUT ROWID;
CREATE INDEX visits_by_snapshot ON visits (snapshot);
";

/// Of pages that were kept before nobody knows whose they are, so they are fetched anew.
const SECOND: &str = "
ALTER TABLE snapshots ADD COLUMN only_if_allowed INTEGER NOT NULL DEFAULT 1;
";

/// The cause and the way out.
pub(super) fn advice(unusable: &Unusable) -> String {
    match unusable {
        Unusable::Sqlite(error) => format!(
            "{error}; if the file is damaged, move it away and start again: its pages are fetched anew when they are needed"
        ),
        Unusable::Foreign => {
            "it is the database of another program; choose another place".to_owned()
        }
        Unusable::Newer(version) => format!(
            "it has schema version {version} and this version of elenchus knows up to {}; update elenchus",
            SCHEMA.migrations.len()
        ),
    }
}
