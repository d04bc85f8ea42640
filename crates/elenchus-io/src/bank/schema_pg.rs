//! The relations of the bank on a PostgreSQL server.

/// Brings a schema of version 1 to version 2. The names are those of the SQLite file. What people query is of the server's
/// own types; what must be read back to the letter, because a number in it may not be rounded or written in another way, is
/// `JSON`, which keeps the text. Texts are ordered by their bytes, as in the file. `key` is the id as a UUID, for those who
/// join by one.
///
/// Every relation names the tenant of each row, and its policy shows a role only the rows of one tenant. The owner of the
/// relations, as whom Elenchus connects, is not bound by it: it serves all tenants, and each of its queries names the one that
/// it is for. So a team can give a tenant a role that only reads: `CREATE ROLE north LOGIN; GRANT SELECT ON strategies,
/// signals TO north; INSERT INTO tenant_roles VALUES ('north', 'tenant of the north')`. Whatever such a role sets, it sees
/// that tenant. A role that is not named there sees the tenant that the setting `elenchus.tenant` names, which it can set
/// itself: that is for a program that is trusted to name the right one, and without the setting it sees nothing.
pub(crate) const SECOND: &str = r#"
CREATE TABLE strategies (
    n              BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant         TEXT COLLATE "C" NOT NULL,
    id             TEXT COLLATE "C" NOT NULL,
    key            UUID GENERATED ALWAYS AS (md5(tenant || '/' || id)::uuid) STORED,
    project        TEXT COLLATE "C" NOT NULL,
    team           TEXT,
    org            TEXT,
    title          TEXT        NOT NULL,
    description    TEXT        NOT NULL,
    content        TEXT        NOT NULL,
    outcome        TEXT        NOT NULL,
    tags           JSONB       NOT NULL,
    scope          TEXT        NOT NULL,
    origin         TEXT        NOT NULL,
    source_session TEXT,
    lineage        JSONB       NOT NULL,
    from_web       BOOLEAN     NOT NULL,
    standing       JSONB       NOT NULL,
    actor          TEXT        NOT NULL,
    created_at     TIMESTAMPTZ NOT NULL,
    edited_at      TIMESTAMPTZ NOT NULL,
    print          TEXT COLLATE "C" NOT NULL,
    unlogged       BIGINT      NOT NULL DEFAULT 0,
    change         BIGINT      NOT NULL,
    text_change    BIGINT      NOT NULL,
    UNIQUE (tenant, id)
);
CREATE INDEX strategies_by_change ON strategies (tenant, change);
CREATE INDEX strategies_by_project ON strategies (tenant, project, print);
CREATE INDEX strategies_by_key ON strategies (key);

-- Counted terms and vectors of what each strategy says. The words are counted by each process over what its caller may
-- see, so that no tenant's words weigh in another's search.
CREATE TABLE strategy_index (
    n       BIGINT PRIMARY KEY REFERENCES strategies ON DELETE CASCADE,
    recipe  TEXT   NOT NULL,
    terms   BYTEA  NOT NULL,
    vectors BYTEA  NOT NULL
);

CREATE TABLE strategy_edits (
    seq     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant  TEXT COLLATE "C" NOT NULL,
    n       BIGINT      NOT NULL REFERENCES strategies ON DELETE CASCADE,
    at      TIMESTAMPTZ NOT NULL,
    actor   TEXT        NOT NULL,
    before  JSON        NOT NULL
);
CREATE INDEX strategy_edits_by_strategy ON strategy_edits (n, at);

CREATE TABLE signals (
    seq        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant     TEXT COLLATE "C" NOT NULL,
    n          BIGINT           NOT NULL REFERENCES strategies ON DELETE CASCADE,
    id         TEXT COLLATE "C" NOT NULL,
    memory_id  TEXT             NOT NULL,
    project_id TEXT COLLATE "C" NOT NULL,
    type       TEXT             NOT NULL,
    positive   BOOLEAN          NOT NULL,
    session_id TEXT             NOT NULL,
    timestamp  TIMESTAMPTZ      NOT NULL,
    search_id  TEXT,
    comment    TEXT,
    actor      TEXT             NOT NULL,
    share      DOUBLE PRECISION NOT NULL,
    rolled     BOOLEAN          NOT NULL DEFAULT FALSE,
    voided_at  TIMESTAMPTZ
);
CREATE INDEX signals_by_strategy ON signals (n, type, timestamp);
CREATE INDEX signals_by_id ON signals (tenant, id);
CREATE INDEX signals_by_project ON signals (tenant, project_id, timestamp);

CREATE TABLE signal_aggregates (
    tenant       TEXT COLLATE "C" NOT NULL,
    n            BIGINT           NOT NULL REFERENCES strategies ON DELETE CASCADE,
    memory_id    TEXT             NOT NULL,
    project_id   TEXT COLLATE "C" NOT NULL,
    explicit_pos DOUBLE PRECISION NOT NULL,
    explicit_neg DOUBLE PRECISION NOT NULL,
    usage_pos    DOUBLE PRECISION NOT NULL,
    usage_neg    DOUBLE PRECISION NOT NULL,
    outcome_pos  DOUBLE PRECISION NOT NULL,
    outcome_neg  DOUBLE PRECISION NOT NULL,
    last_rollup  TIMESTAMPTZ      NOT NULL,
    sums         JSON             NOT NULL,
    PRIMARY KEY (n, project_id)
);
CREATE INDEX signal_aggregates_by_tenant ON signal_aggregates (tenant, project_id);

CREATE TABLE project_weights (
    tenant         TEXT COLLATE "C" NOT NULL,
    project_id     TEXT COLLATE "C" NOT NULL,
    explicit_alpha DOUBLE PRECISION NOT NULL,
    explicit_beta  DOUBLE PRECISION NOT NULL,
    usage_alpha    DOUBLE PRECISION NOT NULL,
    usage_beta     DOUBLE PRECISION NOT NULL,
    outcome_alpha  DOUBLE PRECISION NOT NULL,
    outcome_beta   DOUBLE PRECISION NOT NULL,
    learned        JSON             NOT NULL,
    PRIMARY KEY (tenant, project_id)
);

CREATE TABLE weights_before (
    seq        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant     TEXT COLLATE "C" NOT NULL,
    project_id TEXT COLLATE "C" NOT NULL,
    at         TIMESTAMPTZ NOT NULL,
    before     JSON
);
CREATE INDEX weights_before_by_project ON weights_before (tenant, project_id, at);

-- What the labelled outcomes of a class of strategies say of the next one of it, learned by the daily work.
CREATE TABLE class_priors (
    tenant     TEXT COLLATE "C" NOT NULL,
    project_id TEXT COLLATE "C" NOT NULL,
    class      TEXT COLLATE "C" NOT NULL,
    prior      JSON NOT NULL,
    PRIMARY KEY (tenant, project_id, class)
);

CREATE TABLE bank_changes (
    tenant  TEXT COLLATE "C" PRIMARY KEY,
    change  BIGINT NOT NULL,
    cleared BIGINT NOT NULL
);

CREATE TABLE distillation_queue (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant     TEXT COLLATE "C" NOT NULL,
    project    TEXT COLLATE "C" NOT NULL,
    session_id TEXT COLLATE "C" NOT NULL,
    caller     JSON        NOT NULL,
    outcome    TEXT,
    trace      TEXT        NOT NULL,
    from_web   BOOLEAN     NOT NULL,
    shown      JSON        NOT NULL,
    state      TEXT        NOT NULL,
    attempts   BIGINT      NOT NULL,
    holder     TEXT,
    until      TIMESTAMPTZ NOT NULL,
    queued_at  TIMESTAMPTZ NOT NULL,
    cause      TEXT,
    reply      TEXT,
    UNIQUE (tenant, project, session_id)
);
CREATE INDEX distillation_queue_by_state ON distillation_queue (state, until);

CREATE TABLE tenant_roles (
    role   NAME PRIMARY KEY,
    tenant TEXT COLLATE "C" NOT NULL
);
ALTER TABLE tenant_roles ENABLE ROW LEVEL SECURITY;

-- The one tenant that whoever logged in may see. It runs as the owner, who alone reads which role is whose; its names are
-- bound now, so that no relation of the same name that the caller makes stands in for it.
CREATE FUNCTION tenant_seen() RETURNS TEXT LANGUAGE sql STABLE SECURITY DEFINER
    RETURN coalesce((SELECT tenant FROM tenant_roles WHERE role = session_user),
                    current_setting('elenchus.tenant', true));

DO $$
DECLARE relation TEXT;
BEGIN
    FOREACH relation IN ARRAY ARRAY['strategies', 'strategy_edits', 'signals', 'signal_aggregates', 'project_weights',
                                    'weights_before', 'class_priors', 'bank_changes', 'distillation_queue'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', relation);
        EXECUTE format('CREATE POLICY of_tenant ON %I USING (tenant = (SELECT tenant_seen()))', relation);
    END LOOP;
END $$;

-- It names no tenant: it belongs to the strategy that it is of, and is seen by whoever sees that.
ALTER TABLE strategy_index ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_strategy ON strategy_index USING (EXISTS (SELECT FROM strategies WHERE strategies.n = strategy_index.n));
"#;
