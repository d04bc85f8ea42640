//! The relations of the bank in the store file: version 2 of the schema.

/// Brings a file of version 1 to version 2. Every relation but the leases of the queue names the tenant of each row.
pub(crate) const SECOND: &str = "
CREATE TABLE strategies (
    n              INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant         TEXT    NOT NULL,
    id             TEXT    NOT NULL,
    project        TEXT    NOT NULL,
    team           TEXT,
    org            TEXT,
    title          TEXT    NOT NULL,
    description    TEXT    NOT NULL,
    content        TEXT    NOT NULL,
    outcome        TEXT    NOT NULL,
    tags           TEXT    NOT NULL,
    scope          TEXT    NOT NULL,
    origin         TEXT    NOT NULL,
    source_session TEXT,
    lineage        TEXT    NOT NULL,
    from_web       INTEGER NOT NULL,
    standing       TEXT    NOT NULL,
    actor          TEXT    NOT NULL,
    created_at     INTEGER NOT NULL,
    edited_at      INTEGER NOT NULL,
    print          TEXT    NOT NULL,
    unlogged       INTEGER NOT NULL DEFAULT 0,
    change         INTEGER NOT NULL,
    text_change    INTEGER NOT NULL,
    UNIQUE (tenant, id)
) STRICT;
CREATE INDEX strategies_by_change ON strategies (tenant, change);
CREATE INDEX strategies_by_project ON strategies (tenant, project, print);

-- Counted terms and vectors of what each strategy says. The words are counted by each process over what its caller may
-- see, so that no tenant's words weigh in another's search; a full-text index over all would let them.
CREATE TABLE strategy_index (
    n       INTEGER PRIMARY KEY REFERENCES strategies ON DELETE CASCADE,
    recipe  TEXT    NOT NULL,
    terms   BLOB    NOT NULL,
    vectors BLOB    NOT NULL
) STRICT;

CREATE TABLE strategy_edits (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant  TEXT    NOT NULL,
    n       INTEGER NOT NULL REFERENCES strategies ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    actor   TEXT    NOT NULL,
    before  TEXT    NOT NULL
) STRICT;
CREATE INDEX strategy_edits_by_strategy ON strategy_edits (n, at);

CREATE TABLE signals (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant     TEXT    NOT NULL,
    n          INTEGER NOT NULL REFERENCES strategies ON DELETE CASCADE,
    id         TEXT    NOT NULL,
    memory_id  TEXT    NOT NULL,
    project_id TEXT    NOT NULL,
    type       TEXT    NOT NULL,
    positive   INTEGER NOT NULL,
    session_id TEXT    NOT NULL,
    timestamp  INTEGER NOT NULL,
    search_id  TEXT,
    comment    TEXT,
    actor      TEXT    NOT NULL,
    share      REAL    NOT NULL,
    rolled     INTEGER NOT NULL DEFAULT 0,
    voided_at  INTEGER
) STRICT;
CREATE INDEX signals_by_strategy ON signals (n, type, timestamp);
CREATE INDEX signals_by_id ON signals (tenant, id);
CREATE INDEX signals_by_project ON signals (tenant, project_id, timestamp);

CREATE TABLE signal_aggregates (
    tenant       TEXT    NOT NULL,
    n            INTEGER NOT NULL REFERENCES strategies ON DELETE CASCADE,
    memory_id    TEXT    NOT NULL,
    project_id   TEXT    NOT NULL,
    explicit_pos REAL    NOT NULL,
    explicit_neg REAL    NOT NULL,
    usage_pos    REAL    NOT NULL,
    usage_neg    REAL    NOT NULL,
    outcome_pos  REAL    NOT NULL,
    outcome_neg  REAL    NOT NULL,
    last_rollup  INTEGER NOT NULL,
    sums         TEXT    NOT NULL,
    PRIMARY KEY (n, project_id)
) STRICT;

CREATE TABLE project_weights (
    tenant         TEXT    NOT NULL,
    project_id     TEXT    NOT NULL,
    explicit_alpha REAL    NOT NULL,
    explicit_beta  REAL    NOT NULL,
    usage_alpha    REAL    NOT NULL,
    usage_beta     REAL    NOT NULL,
    outcome_alpha  REAL    NOT NULL,
    outcome_beta   REAL    NOT NULL,
    learned        TEXT    NOT NULL,
    PRIMARY KEY (tenant, project_id)
) STRICT;

CREATE TABLE weights_before (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant     TEXT    NOT NULL,
    project_id TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    before     TEXT
) STRICT;
CREATE INDEX weights_before_by_project ON weights_before (tenant, project_id, at);

-- What the labelled outcomes of a class of strategies say of the next one of it, learned by the daily work.
CREATE TABLE class_priors (
    tenant     TEXT NOT NULL,
    project_id TEXT NOT NULL,
    class      TEXT NOT NULL,
    prior      TEXT NOT NULL,
    PRIMARY KEY (tenant, project_id, class)
) STRICT;

CREATE TABLE bank_changes (
    tenant  TEXT    PRIMARY KEY,
    change  INTEGER NOT NULL,
    cleared INTEGER NOT NULL
) STRICT;

CREATE TABLE distillation_queue (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant     TEXT    NOT NULL,
    project    TEXT    NOT NULL,
    session_id TEXT    NOT NULL,
    caller     TEXT    NOT NULL,
    outcome    TEXT,
    trace      TEXT    NOT NULL,
    from_web   INTEGER NOT NULL,
    shown      TEXT    NOT NULL,
    state      TEXT    NOT NULL,
    attempts   INTEGER NOT NULL,
    holder     TEXT,
    until      INTEGER NOT NULL,
    queued_at  INTEGER NOT NULL,
    cause      TEXT,
    reply      TEXT,
    UNIQUE (tenant, project, session_id)
) STRICT;
CREATE INDEX distillation_queue_by_state ON distillation_queue (state, until);
";
