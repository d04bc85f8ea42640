//! The relations of the evidence graph on a PostgreSQL server.

/// Brings a schema of version 2 to version 3. The names are those of the SQLite file; memos belong to a tenant and a
/// namespace, relations hold between two memos of one namespace and go with them. `metadata` is read back to the letter, so
/// it is `JSON`, which keeps the text. Words are found by `search`: those of the title and the tags weigh `A`, and of the
/// content, whose beginning is indexed (a `tsvector` is at most a megabyte), `B`. Row-level security is that of the bank:
/// it binds every role but the owner to one tenant.
pub(crate) const THIRD: &str = r#"
CREATE TABLE memos (
    n          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant     TEXT COLLATE "C" NOT NULL,
    namespace  TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    key        UUID GENERATED ALWAYS AS (md5(tenant || '/' || namespace || '/' || id)::uuid) STORED,
    title      TEXT             NOT NULL,
    content    TEXT             NOT NULL,
    metadata   JSON             NOT NULL,
    tags       JSONB            NOT NULL,
    created_at TIMESTAMPTZ      NOT NULL,
    updated_at TIMESTAMPTZ      NOT NULL,
    words      BIGINT           NOT NULL,
    embedder   TEXT             NOT NULL,
    step       DOUBLE PRECISION NOT NULL,
    vector     BYTEA            NOT NULL,
    search     TSVECTOR GENERATED ALWAYS AS (
        setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', tags), 'A')
        || setweight(to_tsvector('english', left(content, 150000)), 'B')
    ) STORED,
    UNIQUE (tenant, namespace, id)
);
CREATE INDEX memos_by_search ON memos USING gin (search);
CREATE INDEX memos_by_time ON memos (tenant, updated_at DESC, n DESC);
CREATE INDEX memos_by_key ON memos (key);

CREATE TABLE relations (
    tenant     TEXT COLLATE "C" NOT NULL,
    namespace  TEXT COLLATE "C" NOT NULL,
    source     TEXT COLLATE "C" NOT NULL,
    target     TEXT COLLATE "C" NOT NULL,
    tag        TEXT COLLATE "C" NOT NULL,
    weight     DOUBLE PRECISION NOT NULL CHECK (weight BETWEEN 0 AND 1),
    reason     TEXT,
    times      BIGINT           NOT NULL,
    created_at TIMESTAMPTZ      NOT NULL,
    PRIMARY KEY (tenant, namespace, source, target, tag),
    FOREIGN KEY (tenant, namespace, source) REFERENCES memos (tenant, namespace, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant, namespace, target) REFERENCES memos (tenant, namespace, id) ON DELETE CASCADE
);
CREATE INDEX relations_by_target ON relations (tenant, namespace, target);

ALTER TABLE memos ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON memos USING (tenant = (SELECT tenant_seen()));
ALTER TABLE relations ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON relations USING (tenant = (SELECT tenant_seen()));
"#;
