//! Views of what a run found, over its events and its journal: names that a person may query.

/// SQLite's. A hypothesis stands as its last test left it; passages are those that the run read.
pub(super) const VIEWS: &str = "
CREATE INDEX runs_by_start ON runs (started_at DESC, run_id);

CREATE VIEW passages AS
SELECT journal.run_id,
       read.value ->> '$.passage.id'           AS id,
       read.value ->> '$.passage.source_id'    AS source_id,
       read.value ->> '$.source.path'          AS path,
       read.value ->> '$.passage.page'         AS page,
       read.value ->  '$.passage.heading_path' AS heading_path,
       read.value ->> '$.passage.span.start'   AS span_start,
       read.value ->> '$.passage.span.end'     AS span_end,
       read.value ->> '$.passage.text'         AS text,
       journal.seq                             AS record_seq
FROM journal, json_each(journal.json, '$.entry.body.result.passages') AS read
WHERE journal.json ->> '$.entry.body.result.outcome' = 'passages';

CREATE VIEW hypothesis_tests AS
SELECT run_id,
       json ->> '$.data.test.hypothesis_id'    AS hypothesis_id,
       json ->> '$.data.test.round'            AS round,
       json ->> '$.data.test.before'           AS before,
       json ->> '$.data.test.after'            AS after,
       json ->> '$.data.status'                AS status,
       json ->  '$.data.test.queries'          AS queries,
       json ->  '$.data.test.evidence_for'     AS supporting_passage_ids,
       json ->  '$.data.test.evidence_against' AS contradicting_passage_ids,
       seq                                     AS event_seq,
       at                                      AS created_at
FROM trace_events
WHERE type = 'hypothesis_updated';

CREATE VIEW hypotheses AS
SELECT made.run_id,
       one.value ->> '$.id'    AS id,
       one.value ->> '$.claim' AS claim,
       one.value ->> '$.prior' AS prior,
       coalesce(last.after, one.value ->> '$.confidence') AS confidence,
       coalesce(last.status, 'active') AS status,
       (SELECT json_group_array(passage.value)
        FROM hypothesis_tests AS test, json_each(test.supporting_passage_ids) AS passage
        WHERE test.run_id = made.run_id AND test.hypothesis_id = one.value ->> '$.id')
                               AS supporting_passage_ids,
       (SELECT json_group_array(passage.value)
        FROM hypothesis_tests AS test, json_each(test.contradicting_passage_ids) AS passage
        WHERE test.run_id = made.run_id AND test.hypothesis_id = one.value ->> '$.id')
                               AS contradicting_passage_ids,
       made.at                 AS created_at
FROM trace_events AS made, json_each(made.json, '$.data.hypotheses') AS one
LEFT JOIN hypothesis_tests AS last
  ON last.run_id = made.run_id AND last.event_seq = (
         SELECT max(test.event_seq) FROM hypothesis_tests AS test
         WHERE test.run_id = made.run_id AND test.hypothesis_id = one.value ->> '$.id'
     )
WHERE made.type = 'hypotheses_generated';

CREATE VIEW insights AS
SELECT run_id,
       json ->> '$.data.insight.id'          AS id,
       json ->> '$.data.insight.type'        AS insight_type,
       json ->> '$.data.insight.description' AS description,
       (SELECT json_group_array(one.value ->> '$.passage_id')
        FROM json_each(trace_events.json, '$.data.insight.supporting') AS one) AS passage_ids,
       json ->> '$.data.insight.novelty'     AS novelty_score,
       json ->> '$.data.insight.feedback'    AS user_feedback,
       at                                    AS created_at
FROM trace_events
WHERE type = 'insight_detected';

CREATE VIEW critiques AS
SELECT run_id,
       json ->> '$.data.critique.quality'  AS quality,
       json ->> '$.data.critique.grade'    AS grade,
       json ->> '$.data.critique.critic'   AS critic,
       json ->  '$.data.critique.findings' AS findings,
       seq                                 AS event_seq,
       at                                  AS created_at
FROM trace_events
WHERE type = 'critique_completed';

CREATE VIEW fallacies AS
SELECT trace_events.run_id,
       finding.value ->> '$.id'       AS id,
       finding.value ->> '$.claim_id' AS claim_id,
       finding.value ->> '$.words'    AS words,
       finding.value ->> '$.text'     AS text,
       trace_events.at                AS created_at
FROM trace_events, json_each(trace_events.json, '$.data.critique.findings') AS finding
WHERE trace_events.type = 'critique_completed' AND finding.value ->> '$.kind' = 'fallacy';

CREATE VIEW contradictions AS
SELECT run_id,
       json ->> '$.data.question_id' AS question_id,
       json ->  '$.data.passages'    AS passage_ids,
       json ->> '$.data.summary'     AS summary,
       seq                           AS event_seq,
       at                            AS created_at
FROM trace_events
WHERE type = 'contradiction_found';
";

/// What a critique found, and what an answer warns of: its place is the quote, in characters.
pub(super) const WARNINGS: &str = "
DROP VIEW fallacies;
CREATE VIEW fallacies AS
SELECT trace_events.run_id,
       finding.value ->> '$.id'       AS id,
       finding.value ->> '$.claim_id' AS claim_id,
       finding.value ->> '$.words'    AS words,
       finding.value ->> '$.text'     AS text,
       trace_events.at                AS created_at,
       NULL                           AS fallacy,
       NULL                           AS question,
       NULL                           AS source_id,
       NULL                           AS span_start,
       NULL                           AS span_end
FROM trace_events, json_each(trace_events.json, '$.data.critique.findings') AS finding
WHERE trace_events.type = 'critique_completed' AND finding.value ->> '$.kind' = 'fallacy'
UNION ALL
SELECT run_id,
       json ->> '$.data.warning.id',
       json ->> '$.data.warning.claim_id',
       json ->> '$.data.warning.words',
       json ->> '$.data.warning.name',
       at,
       json ->> '$.data.warning.fallacy',
       json ->> '$.data.warning.question',
       json ->> '$.data.warning.source_id',
       json ->> '$.data.warning.span.start',
       json ->> '$.data.warning.span.end'
FROM trace_events
WHERE type = 'fallacy_detected';
";

/// What people say of runs and take out of them, and the views that tell of it. `said` is empty where it was taken back, and the
/// last word of all counts; `trail_id` is the run under the name that trails go by.
pub(super) const FEEDBACK: &str = "
CREATE TABLE feedback (
    run_id TEXT    NOT NULL REFERENCES runs ON DELETE CASCADE,
    about  TEXT    NOT NULL,
    target TEXT    NOT NULL,
    actor  TEXT    NOT NULL,
    said   TEXT,
    note   TEXT,
    basis  TEXT,
    at     INTEGER NOT NULL,
    PRIMARY KEY (run_id, about, target, actor)
) STRICT;

DROP VIEW insights;
CREATE VIEW insights AS
SELECT found.run_id,
       found.json ->> '$.data.insight.id'          AS id,
       found.json ->> '$.data.insight.type'        AS insight_type,
       found.json ->> '$.data.insight.description' AS description,
       (SELECT json_group_array(one.value ->> '$.passage_id')
        FROM json_each(found.json, '$.data.insight.supporting') AS one) AS passage_ids,
       found.json ->> '$.data.insight.novelty'     AS novelty_score,
       (SELECT said FROM feedback
        WHERE feedback.run_id = found.run_id AND about = 'insight' AND said IS NOT NULL
          AND target = found.json ->> '$.data.insight.id'
        ORDER BY feedback.at DESC, actor LIMIT 1)  AS user_feedback,
       found.at                                    AS created_at,
       found.run_id                                AS trail_id
FROM trace_events AS found
WHERE found.type = 'insight_detected';

DROP VIEW hypotheses;
CREATE VIEW hypotheses AS
SELECT made.run_id,
       one.value ->> '$.id'    AS id,
       one.value ->> '$.claim' AS claim,
       one.value ->> '$.prior' AS prior,
       coalesce(last.after, one.value ->> '$.confidence') AS confidence,
       coalesce(last.status, 'active') AS status,
       (SELECT json_group_array(passage.value)
        FROM hypothesis_tests AS test, json_each(test.supporting_passage_ids) AS passage
        WHERE test.run_id = made.run_id AND test.hypothesis_id = one.value ->> '$.id')
                               AS supporting_passage_ids,
       (SELECT json_group_array(passage.value)
        FROM hypothesis_tests AS test, json_each(test.contradicting_passage_ids) AS passage
        WHERE test.run_id = made.run_id AND test.hypothesis_id = one.value ->> '$.id')
                               AS contradicting_passage_ids,
       made.at                 AS created_at,
       made.run_id             AS trail_id
FROM trace_events AS made, json_each(made.json, '$.data.hypotheses') AS one
LEFT JOIN hypothesis_tests AS last
  ON last.run_id = made.run_id AND last.event_seq = (
         SELECT max(test.event_seq) FROM hypothesis_tests AS test
         WHERE test.run_id = made.run_id AND test.hypothesis_id = one.value ->> '$.id'
     )
WHERE made.type = 'hypotheses_generated';

DROP VIEW claims;
CREATE VIEW claims AS
SELECT told.run_id,
       claim.value ->> '$.id'                AS id,
       claim.value ->> '$.text'              AS text,
       claim.value ->> '$.question_id'       AS question_id,
       claim.value ->> '$.role'              AS role,
       claim.value ->> '$.value'             AS value,
       claim.value ->> '$.verdict'           AS verdict,
       claim.value ->> '$.source_span.start' AS span_start,
       claim.value ->> '$.source_span.end'   AS span_end,
       claim.value ->> '$.warrant'           AS warrant,
       (SELECT said FROM feedback
        WHERE feedback.run_id = told.run_id AND about = 'claim' AND said IS NOT NULL
          AND target = claim.value ->> '$.id'
        ORDER BY feedback.at DESC, actor LIMIT 1) AS user_feedback
FROM trace_events AS told, json_each(told.json, '$.data.answer.claims') AS claim
WHERE told.type = 'answer_completed';

CREATE VIEW exports AS
SELECT run_id, target AS format, actor, at AS created_at, run_id AS trail_id
FROM feedback
WHERE about = 'export' AND said IS NOT NULL;
";

/// How sure each statement is, as every surface shows it: nothing where it was not checked, and nothing where it only came nearest to
/// an open question or gives an older value, since that its passage holds the words says nothing of the question
/// (`Answer::shown_figures`).
pub(super) const SHOWN_FIGURES: &str = "
DROP VIEW claims;
CREATE VIEW claims AS
SELECT told.run_id,
       claim.value ->> '$.id'                AS id,
       claim.value ->> '$.text'              AS text,
       claim.value ->> '$.question_id'       AS question_id,
       claim.value ->> '$.role'              AS role,
       claim.value ->> '$.value'             AS value,
       claim.value ->> '$.verdict'           AS verdict,
       claim.value ->> '$.source_span.start' AS span_start,
       claim.value ->> '$.source_span.end'   AS span_end,
       claim.value ->> '$.warrant'           AS warrant,
       (SELECT said FROM feedback
        WHERE feedback.run_id = told.run_id AND about = 'claim' AND said IS NOT NULL
          AND target = claim.value ->> '$.id'
        ORDER BY feedback.at DESC, actor LIMIT 1) AS user_feedback,
       CASE WHEN coalesce(claim.value ->> '$.role', '') <> 'superseded'
            AND (claim.value ->> '$.role' = 'conflict' OR NOT EXISTS (
           SELECT 1
           FROM json_each(told.json, '$.data.answer.could_not_establish') AS missing,
                json_each(missing.value, '$.nearest') AS near
           WHERE near.value = claim.value ->> '$.id'
       )) THEN (
           SELECT figure.value ->> '$.confidence'
           FROM json_each(told.json, '$.data.answer.confidence.claim_confidences') AS figure
           WHERE figure.value ->> '$.claim_id' = claim.value ->> '$.id'
           LIMIT 1
       ) END                                 AS confidence
FROM trace_events AS told, json_each(told.json, '$.data.answer.claims') AS claim
WHERE told.type = 'answer_completed';
";
