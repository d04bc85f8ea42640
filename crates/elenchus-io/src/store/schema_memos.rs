//! The relations of the evidence graph.

/// Memos belong to a tenant and a namespace; relations hold between two memos of one namespace and go with them.
/// `vector` is one byte a number, each worth `step`, in the space that `embedder` names. Words are indexed without being
/// kept twice.
pub(super) const MEMOS: &str = "
CREATE TABLE memos (
    n          INTEGER PRIMARY KEY,
    tenant     TEXT    NOT NULL,
    namespace  TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    title      TEXT    NOT NULL,
    content    TEXT    NOT NULL,
    metadata   TEXT    NOT NULL,
    tags       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    words      INTEGER NOT NULL,
    embedder   TEXT    NOT NULL,
    step       REAL    NOT NULL,
    vector     BLOB    NOT NULL,
    UNIQUE (tenant, namespace, id)
) STRICT;

CREATE TABLE relations (
    tenant     TEXT    NOT NULL,
    namespace  TEXT    NOT NULL,
    source     TEXT    NOT NULL,
    target     TEXT    NOT NULL,
    tag        TEXT    NOT NULL,
    weight     REAL    NOT NULL CHECK (weight BETWEEN 0 AND 1),
    reason     TEXT,
    times      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, namespace, source, target, tag),
    FOREIGN KEY (tenant, namespace, source) REFERENCES memos (tenant, namespace, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant, namespace, target) REFERENCES memos (tenant, namespace, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX relations_by_target ON relations (tenant, namespace, target);

CREATE VIRTUAL TABLE memos_fts USING fts5(
    title, content, tags, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
";
