//! The relations of the snapshots on a PostgreSQL server.

/// Brings a schema of version 11 to version 12. The names are those of the file, so that one program text serves both. A page
/// belongs to nobody: whoever may read the relation sees what any run has read. `reading` (what was read of a page) and `body` (what was
/// received) are compressed already, so the server is not to try again.
pub(crate) const PAGES: &str = r"
CREATE TABLE snapshots (
    id              BIGINT      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_id       TEXT        NOT NULL,
    path            TEXT        NOT NULL,
    url             TEXT        NOT NULL,
    requested       TEXT        NOT NULL,
    content_hash    TEXT        NOT NULL,
    text_hash       TEXT        NOT NULL,
    content_type    TEXT,
    headers         TEXT        NOT NULL,
    extraction      BIGINT      NOT NULL,
    source          TEXT        NOT NULL,
    reading         BYTEA       NOT NULL,
    body            BYTEA       NOT NULL,
    last_at         TIMESTAMPTZ NOT NULL,
    only_if_allowed BOOLEAN     NOT NULL
);
ALTER TABLE snapshots ALTER COLUMN reading SET STORAGE EXTERNAL;
ALTER TABLE snapshots ALTER COLUMN body SET STORAGE EXTERNAL;
-- An address may be longer than an entry of an index.
CREATE UNIQUE INDEX snapshots_once ON snapshots (content_hash, text_hash, md5(url));
CREATE INDEX snapshots_by_source ON snapshots (source_id, content_hash);
CREATE INDEX snapshots_by_age ON snapshots (last_at, id);

CREATE TABLE visits (
    snapshot BIGINT      NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    address  TEXT        NOT NULL,
    at       TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX visits_once ON visits (md5(address), at, snapshot);
CREATE INDEX visits_by_snapshot ON visits (snapshot);
";
