//! The relations of runs on a PostgreSQL server.

/// Of no run by a reference: a key is noted before its run is made.
pub(crate) const KEYS: &str = r"
CREATE TABLE request_keys (
    key     TEXT        PRIMARY KEY,
    request TEXT        NOT NULL,
    run_id  TEXT        NOT NULL,
    at      TIMESTAMPTZ NOT NULL
);
CREATE INDEX request_keys_by_time ON request_keys (at);
CREATE INDEX request_keys_by_run ON request_keys (run_id);
";

/// The names are those of the SQLite file. What an Elenchus must read back to the letter (`journal.json`, whose hash is in
/// the chain, and `trace_events.json`) is kept as the text that was written; the views beside them give what people query
/// by the server's own types. `key` is the id as a UUID, for those who join by one.
pub(crate) const FIRST: &str = r"
CREATE TABLE runs (
    run_id      TEXT        PRIMARY KEY,
    key         UUID        GENERATED ALWAYS AS (md5(run_id)::uuid) STORED UNIQUE,
    question    TEXT        NOT NULL,
    -- The question as UTF-8 where it holds a NUL, which a text cannot.
    exact       BYTEA,
    started_at  TIMESTAMPTZ NOT NULL,
    updated_at  TIMESTAMPTZ NOT NULL,
    stop_reason TEXT,
    records     BIGINT      NOT NULL,
    events      BIGINT      NOT NULL,
    tip         TEXT        NOT NULL
);
CREATE INDEX runs_by_start ON runs (started_at DESC, run_id);
CREATE INDEX runs_under_way ON runs (started_at) WHERE stop_reason IS NULL;

CREATE TABLE journal (
    run_id TEXT        NOT NULL REFERENCES runs ON DELETE CASCADE,
    seq    BIGINT      NOT NULL,
    at     TIMESTAMPTZ NOT NULL,
    json   TEXT        NOT NULL,
    hash   TEXT        NOT NULL,
    PRIMARY KEY (run_id, seq)
);

CREATE TABLE trace_events (
    run_id TEXT        NOT NULL REFERENCES runs ON DELETE CASCADE,
    seq    BIGINT      NOT NULL,
    at     TIMESTAMPTZ NOT NULL,
    type   TEXT        NOT NULL,
    json   JSON        NOT NULL,
    PRIMARY KEY (run_id, seq)
);
CREATE INDEX trace_events_by_type ON trace_events (run_id, type);

CREATE TABLE leases (
    run_id     TEXT        PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    holder     TEXT,
    token      BIGINT      NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
);

CREATE VIEW sources AS
SELECT run_id,
       json #>> '{data,source_id}'        AS source_id,
       json #>> '{data,path}'             AS path,
       json #>> '{data,title}'            AS title,
       json #>> '{data,author}'           AS author,
       (json #> '{data,date}')::jsonb     AS date,
       seq                                AS event_seq
FROM trace_events
WHERE type = 'source_added';

CREATE VIEW gaps AS
SELECT opened.run_id,
       md5(opened.run_id || '/' || (opened.json #>> '{data,gap_id}'))::uuid AS key,
       opened.json #>> '{data,gap_id}'              AS id,
       opened.json #>> '{data,description}'         AS description,
       ARRAY(SELECT jsonb_array_elements_text(
                 coalesce((opened.json #> '{data,question_ids}')::jsonb, '[]'))::bigint)
                                                    AS related_question_ids,
       CASE last.type
           WHEN 'gap_resolved'  THEN 'resolved'
           WHEN 'gap_abandoned' THEN 'abandoned'
           ELSE 'active'
       END                                          AS status,
       last.json #>> '{data,reason}'                AS reason,
       (last.json #>> '{data,attempts}')::bigint    AS attempt_count,
       ARRAY(SELECT jsonb_array_elements_text(
                 coalesce((last.json #> '{data,queries}')::jsonb, '[]')))
                                                    AS previous_queries
FROM trace_events AS opened
JOIN LATERAL (
    SELECT type, json FROM trace_events AS later
    WHERE later.run_id = opened.run_id
      AND later.type IN ('gap_opened', 'gap_resolved', 'gap_abandoned', 'gap_reopened')
      AND later.json #>> '{data,gap_id}' = opened.json #>> '{data,gap_id}'
    ORDER BY later.seq DESC LIMIT 1
) AS last ON true
WHERE opened.type = 'gap_opened';

CREATE VIEW claims AS
SELECT trace_events.run_id,
       md5(trace_events.run_id || '/' || (claim ->> 'id'))::uuid AS key,
       claim ->> 'id'                               AS id,
       claim ->> 'text'                             AS text,
       (claim ->> 'question_id')::bigint            AS question_id,
       claim ->> 'role'                             AS role,
       claim ->> 'value'                            AS value,
       claim ->> 'verdict'                          AS verdict,
       (claim #>> '{source_span,start}')::bigint    AS span_start,
       (claim #>> '{source_span,end}')::bigint      AS span_end,
       claim ->> 'warrant'                          AS warrant
FROM trace_events,
     LATERAL jsonb_array_elements((json #> '{data,answer,claims}')::jsonb) AS claim
WHERE trace_events.type = 'answer_completed';

CREATE VIEW reasoning_traces AS
SELECT run_id || '/' || seq                         AS id,
       run_id                                       AS trail_id,
       seq                                          AS step_index,
       substr(type, 11)                             AS reasoning_type,
       coalesce(json #>> '{data,content}', json #>> '{data,action}',
                json #>> '{data,conclusion}', json #>> '{data,result}') AS content,
       at                                           AS created_at
FROM trace_events
WHERE type IN ('reasoning_thought', 'reasoning_action', 'reasoning_observation', 'reasoning_conclusion');
";

/// Brings a schema of version 4 to version 5. What a run needs beside its journal is noted before it begins, so that the note
/// refers to nothing. A worker that cannot go on with a run says so for itself alone: another one may have the documents.
pub(crate) const NOTES: &str = r"
CREATE TABLE run_notes (
    run_id  TEXT        PRIMARY KEY,
    json    TEXT        NOT NULL,
    made_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE TABLE put_back (
    run_id TEXT        NOT NULL REFERENCES runs ON DELETE CASCADE,
    worker TEXT        NOT NULL,
    reason TEXT        NOT NULL,
    tries  BIGINT      NOT NULL,
    at     TIMESTAMPTZ NOT NULL,
    until  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (run_id, worker)
);
";

/// Brings a schema of version 5 to version 6: views under the names of the SQLite file, with the server's own types. A hypothesis
/// stands as its last test left it; passages are those that a run read.
pub(crate) const VIEWS: &str = r"
CREATE VIEW passages AS
SELECT journal.run_id,
       read #>> '{passage,id}'                   AS id,
       read #>> '{passage,source_id}'            AS source_id,
       read #>> '{source,path}'                  AS path,
       (read #>> '{passage,page}')::bigint       AS page,
       ARRAY(SELECT json_array_elements_text(
                 coalesce(read #> '{passage,heading_path}', '[]'))) AS heading_path,
       (read #>> '{passage,span,start}')::bigint AS span_start,
       (read #>> '{passage,span,end}')::bigint   AS span_end,
       read #>> '{passage,text}'                 AS text,
       journal.seq                               AS record_seq
FROM journal,
     LATERAL json_array_elements(journal.json::json #> '{entry,body,result,passages}') AS read
WHERE journal.json::json #>> '{entry,body,result,outcome}' = 'passages';

CREATE VIEW hypothesis_tests AS
SELECT run_id,
       json #>> '{data,test,hypothesis_id}'      AS hypothesis_id,
       (json #>> '{data,test,round}')::bigint    AS round,
       (json #>> '{data,test,before}')::float8   AS before,
       (json #>> '{data,test,after}')::float8    AS after,
       json #>> '{data,status}'                  AS status,
       ARRAY(SELECT json_array_elements_text(
                 coalesce(json #> '{data,test,queries}', '[]'))) AS queries,
       ARRAY(SELECT json_array_elements_text(
                 coalesce(json #> '{data,test,evidence_for}', '[]'))) AS supporting_passage_ids,
       ARRAY(SELECT json_array_elements_text(
                 coalesce(json #> '{data,test,evidence_against}', '[]'))) AS contradicting_passage_ids,
       seq                                       AS event_seq,
       at                                        AS created_at
FROM trace_events
WHERE type = 'hypothesis_updated';

CREATE VIEW hypotheses AS
SELECT made.run_id,
       md5(made.run_id || '/' || (one ->> 'id'))::uuid AS key,
       one ->> 'id'                              AS id,
       one ->> 'claim'                           AS claim,
       one ->> 'prior'                           AS prior,
       coalesce(last.after, (one ->> 'confidence')::float8) AS confidence,
       coalesce(last.status, 'active')           AS status,
       ARRAY(SELECT unnest(test.supporting_passage_ids) FROM hypothesis_tests AS test
             WHERE test.run_id = made.run_id AND test.hypothesis_id = one ->> 'id')
                                                 AS supporting_passage_ids,
       ARRAY(SELECT unnest(test.contradicting_passage_ids) FROM hypothesis_tests AS test
             WHERE test.run_id = made.run_id AND test.hypothesis_id = one ->> 'id')
                                                 AS contradicting_passage_ids,
       made.at                                   AS created_at
FROM trace_events AS made
CROSS JOIN LATERAL json_array_elements(made.json #> '{data,hypotheses}') AS one
LEFT JOIN LATERAL (
    SELECT after, status FROM hypothesis_tests AS test
    WHERE test.run_id = made.run_id AND test.hypothesis_id = one ->> 'id'
    ORDER BY test.event_seq DESC LIMIT 1
) AS last ON true
WHERE made.type = 'hypotheses_generated';

CREATE VIEW insights AS
SELECT run_id,
       md5(run_id || '/' || (json #>> '{data,insight,id}'))::uuid AS key,
       json #>> '{data,insight,id}'              AS id,
       json #>> '{data,insight,type}'            AS insight_type,
       json #>> '{data,insight,description}'     AS description,
       ARRAY(SELECT one ->> 'passage_id' FROM json_array_elements(
                 coalesce(json #> '{data,insight,supporting}', '[]')) AS one) AS passage_ids,
       (json #>> '{data,insight,novelty}')::float8 AS novelty_score,
       json #>> '{data,insight,feedback}'        AS user_feedback,
       at                                        AS created_at
FROM trace_events
WHERE type = 'insight_detected';

CREATE VIEW critiques AS
SELECT run_id,
       (json #>> '{data,critique,quality}')::bigint AS quality,
       json #>> '{data,critique,grade}'          AS grade,
       json #>> '{data,critique,critic}'         AS critic,
       json #> '{data,critique,findings}'        AS findings,
       seq                                       AS event_seq,
       at                                        AS created_at
FROM trace_events
WHERE type = 'critique_completed';

CREATE VIEW fallacies AS
SELECT trace_events.run_id,
       finding ->> 'id'                          AS id,
       finding ->> 'claim_id'                    AS claim_id,
       finding ->> 'words'                       AS words,
       finding ->> 'text'                        AS text,
       trace_events.at                           AS created_at
FROM trace_events,
     LATERAL json_array_elements(json #> '{data,critique,findings}') AS finding
WHERE trace_events.type = 'critique_completed' AND finding ->> 'kind' = 'fallacy';

CREATE VIEW contradictions AS
SELECT run_id,
       (json #>> '{data,question_id}')::bigint   AS question_id,
       ARRAY(SELECT json_array_elements_text(
                 coalesce(json #> '{data,passages}', '[]'))) AS passage_ids,
       json #>> '{data,summary}'                 AS summary,
       seq                                       AS event_seq,
       at                                        AS created_at
FROM trace_events
WHERE type = 'contradiction_found';
";

/// Brings a schema of version 6 to version 7: what answers warn of stands beside what critiques found. Columns are added behind
/// the others and the view is replaced in place, so that whoever may read it still may.
pub(crate) const WARNINGS: &str = r"
CREATE OR REPLACE VIEW fallacies AS
SELECT trace_events.run_id,
       finding ->> 'id'                          AS id,
       finding ->> 'claim_id'                    AS claim_id,
       finding ->> 'words'                       AS words,
       finding ->> 'text'                        AS text,
       trace_events.at                           AS created_at,
       NULL::text                                AS fallacy,
       NULL::text                                AS question,
       NULL::text                                AS source_id,
       NULL::bigint                              AS span_start,
       NULL::bigint                              AS span_end
FROM trace_events,
     LATERAL json_array_elements(json #> '{data,critique,findings}') AS finding
WHERE trace_events.type = 'critique_completed' AND finding ->> 'kind' = 'fallacy'
UNION ALL
SELECT run_id,
       json #>> '{data,warning,id}',
       json #>> '{data,warning,claim_id}',
       json #>> '{data,warning,words}',
       json #>> '{data,warning,name}',
       at,
       json #>> '{data,warning,fallacy}',
       json #>> '{data,warning,question}',
       json #>> '{data,warning,source_id}',
       (json #>> '{data,warning,span,start}')::bigint,
       (json #>> '{data,warning,span,end}')::bigint
FROM trace_events
WHERE type = 'fallacy_detected';
";

/// Brings a schema of version 7 to version 8. Numbers are given while the lease of the run is locked, so that they grow in the
/// order in which controls of a run are seen.
pub(crate) const CONTROLS: &str = r"
CREATE TABLE controls (
    run_id   TEXT        NOT NULL REFERENCES runs ON DELETE CASCADE,
    number   BIGINT      GENERATED ALWAYS AS IDENTITY,
    json     TEXT        NOT NULL,
    left_by  TEXT        NOT NULL,
    left_at  TIMESTAMPTZ NOT NULL,
    taken_at TIMESTAMPTZ,
    PRIMARY KEY (run_id, number)
);
";

/// Brings a schema of version 8 to version 9: what people say of runs and take out of them. `said` is empty where it was taken
/// back; `trail_id` is the run under the name that trails go by.
pub(crate) const FEEDBACK: &str = r"
CREATE TABLE feedback (
    run_id TEXT        NOT NULL REFERENCES runs ON DELETE CASCADE,
    about  TEXT        NOT NULL,
    target TEXT        NOT NULL,
    actor  TEXT        NOT NULL,
    said   TEXT,
    note   TEXT,
    basis  TEXT,
    at     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (run_id, about, target, actor)
);

CREATE OR REPLACE VIEW insights AS
SELECT found.run_id,
       md5(found.run_id || '/' || (found.json #>> '{data,insight,id}'))::uuid AS key,
       found.json #>> '{data,insight,id}'              AS id,
       found.json #>> '{data,insight,type}'            AS insight_type,
       found.json #>> '{data,insight,description}'     AS description,
       ARRAY(SELECT one ->> 'passage_id' FROM json_array_elements(
                 coalesce(found.json #> '{data,insight,supporting}', '[]')) AS one) AS passage_ids,
       (found.json #>> '{data,insight,novelty}')::float8 AS novelty_score,
       (SELECT said FROM feedback
        WHERE feedback.run_id = found.run_id AND about = 'insight' AND said IS NOT NULL
          AND target = found.json #>> '{data,insight,id}'
        ORDER BY feedback.at DESC, actor LIMIT 1)      AS user_feedback,
       found.at                                        AS created_at,
       found.run_id                                    AS trail_id
FROM trace_events AS found
WHERE found.type = 'insight_detected';

CREATE OR REPLACE VIEW hypotheses AS
SELECT made.run_id,
       md5(made.run_id || '/' || (one ->> 'id'))::uuid AS key,
       one ->> 'id'                              AS id,
       one ->> 'claim'                           AS claim,
       one ->> 'prior'                           AS prior,
       coalesce(last.after, (one ->> 'confidence')::float8) AS confidence,
       coalesce(last.status, 'active')           AS status,
       ARRAY(SELECT unnest(test.supporting_passage_ids) FROM hypothesis_tests AS test
             WHERE test.run_id = made.run_id AND test.hypothesis_id = one ->> 'id')
                                                 AS supporting_passage_ids,
       ARRAY(SELECT unnest(test.contradicting_passage_ids) FROM hypothesis_tests AS test
             WHERE test.run_id = made.run_id AND test.hypothesis_id = one ->> 'id')
                                                 AS contradicting_passage_ids,
       made.at                                   AS created_at,
       made.run_id                               AS trail_id
FROM trace_events AS made
CROSS JOIN LATERAL json_array_elements(made.json #> '{data,hypotheses}') AS one
LEFT JOIN LATERAL (
    SELECT after, status FROM hypothesis_tests AS test
    WHERE test.run_id = made.run_id AND test.hypothesis_id = one ->> 'id'
    ORDER BY test.event_seq DESC LIMIT 1
) AS last ON true
WHERE made.type = 'hypotheses_generated';

CREATE OR REPLACE VIEW claims AS
SELECT trace_events.run_id,
       md5(trace_events.run_id || '/' || (claim ->> 'id'))::uuid AS key,
       claim ->> 'id'                               AS id,
       claim ->> 'text'                             AS text,
       (claim ->> 'question_id')::bigint            AS question_id,
       claim ->> 'role'                             AS role,
       claim ->> 'value'                            AS value,
       claim ->> 'verdict'                          AS verdict,
       (claim #>> '{source_span,start}')::bigint    AS span_start,
       (claim #>> '{source_span,end}')::bigint      AS span_end,
       claim ->> 'warrant'                          AS warrant,
       (SELECT said FROM feedback
        WHERE feedback.run_id = trace_events.run_id AND about = 'claim' AND said IS NOT NULL
          AND target = claim ->> 'id'
        ORDER BY feedback.at DESC, actor LIMIT 1)   AS user_feedback
FROM trace_events,
     LATERAL jsonb_array_elements((json #> '{data,answer,claims}')::jsonb) AS claim
WHERE trace_events.type = 'answer_completed';

CREATE VIEW exports AS
SELECT run_id, target AS format, actor, at AS created_at, run_id AS trail_id
FROM feedback
WHERE about = 'export' AND said IS NOT NULL;
";

/// Brings a schema of version 9 to version 10: how sure each statement is, as every surface shows it. There is nothing where it was
/// not checked, and nothing where it only came nearest to an open question or gives an older value (`Answer::shown_figures`). The column stands behind the
/// others and the view is replaced in place, so that whoever may read it still may.
pub(crate) const SHOWN_FIGURES: &str = r"
CREATE OR REPLACE VIEW claims AS
SELECT trace_events.run_id,
       md5(trace_events.run_id || '/' || (claim ->> 'id'))::uuid AS key,
       claim ->> 'id'                               AS id,
       claim ->> 'text'                             AS text,
       (claim ->> 'question_id')::bigint            AS question_id,
       claim ->> 'role'                             AS role,
       claim ->> 'value'                            AS value,
       claim ->> 'verdict'                          AS verdict,
       (claim #>> '{source_span,start}')::bigint    AS span_start,
       (claim #>> '{source_span,end}')::bigint      AS span_end,
       claim ->> 'warrant'                          AS warrant,
       (SELECT said FROM feedback
        WHERE feedback.run_id = trace_events.run_id AND about = 'claim' AND said IS NOT NULL
          AND target = claim ->> 'id'
        ORDER BY feedback.at DESC, actor LIMIT 1)   AS user_feedback,
       CASE WHEN coalesce(claim ->> 'role', '') <> 'superseded'
            AND (claim ->> 'role' = 'conflict' OR NOT EXISTS (
           SELECT 1
           FROM json_array_elements(
                    coalesce(trace_events.json #> '{data,answer,could_not_establish}', '[]')) AS missing,
                LATERAL json_array_elements_text(coalesce(missing -> 'nearest', '[]')) AS near
           WHERE near = claim ->> 'id'
       )) THEN (
           SELECT (figure ->> 'confidence')::float8
           FROM json_array_elements(coalesce(
                    trace_events.json #> '{data,answer,confidence,claim_confidences}', '[]')) AS figure
           WHERE figure ->> 'claim_id' = claim ->> 'id'
           LIMIT 1
       ) END                                        AS confidence
FROM trace_events,
     LATERAL jsonb_array_elements((json #> '{data,answer,claims}')::jsonb) AS claim
WHERE trace_events.type = 'answer_completed';
";
