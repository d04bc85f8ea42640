//! Keys of what runs found as the server's own types.

/// Brings a schema of version 10 to version 11: `key` is the UUID of each row, `trail_key` that of its run (`runs.key`), and
/// `..._keys` are those of the passages that it names, so that all of it can be joined by UUIDs; the content of a step of reasoning
/// stands there as `jsonb` too. Columns are added behind the others and views are replaced in place, so that whoever may read
/// them still may.
pub(crate) const TYPED: &str = r"
CREATE OR REPLACE VIEW sources AS
SELECT run_id,
       json #>> '{data,source_id}'        AS source_id,
       json #>> '{data,path}'             AS path,
       json #>> '{data,title}'            AS title,
       json #>> '{data,author}'           AS author,
       (json #> '{data,date}')::jsonb     AS date,
       seq                                AS event_seq,
       md5(run_id || '/' || (json #>> '{data,source_id}'))::uuid AS key
FROM trace_events
WHERE type = 'source_added';

CREATE OR REPLACE VIEW passages AS
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
       journal.seq                               AS record_seq,
       md5(journal.run_id || '/' || (read #>> '{passage,id}'))::uuid        AS key,
       md5(journal.run_id || '/' || (read #>> '{passage,source_id}'))::uuid AS source_key
FROM journal,
     LATERAL json_array_elements(journal.json::json #> '{entry,body,result,passages}') AS read
WHERE journal.json::json #>> '{entry,body,result,outcome}' = 'passages';

CREATE OR REPLACE VIEW reasoning_traces AS
SELECT run_id || '/' || seq                         AS id,
       run_id                                       AS trail_id,
       seq                                          AS step_index,
       substr(type, 11)                             AS reasoning_type,
       coalesce(json #>> '{data,content}', json #>> '{data,action}',
                json #>> '{data,conclusion}', json #>> '{data,result}') AS content,
       at                                           AS created_at,
       md5(run_id || '/' || seq)::uuid              AS key,
       md5(run_id)::uuid                            AS trail_key,
       (json #> '{data}')::jsonb                    AS content_json
FROM trace_events
WHERE type IN ('reasoning_thought', 'reasoning_action', 'reasoning_observation', 'reasoning_conclusion');

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
       found.run_id                                    AS trail_id,
       ARRAY(SELECT md5(found.run_id || '/' || (one ->> 'passage_id'))::uuid FROM json_array_elements(
                 coalesce(found.json #> '{data,insight,supporting}', '[]')) AS one) AS passage_keys,
       md5(found.run_id)::uuid                         AS trail_key
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
       made.run_id                               AS trail_id,
       ARRAY(SELECT md5(made.run_id || '/' || passage)::uuid
             FROM hypothesis_tests AS test, unnest(test.supporting_passage_ids) AS passage
             WHERE test.run_id = made.run_id AND test.hypothesis_id = one ->> 'id')
                                                 AS supporting_passage_keys,
       ARRAY(SELECT md5(made.run_id || '/' || passage)::uuid
             FROM hypothesis_tests AS test, unnest(test.contradicting_passage_ids) AS passage
             WHERE test.run_id = made.run_id AND test.hypothesis_id = one ->> 'id')
                                                 AS contradicting_passage_keys,
       md5(made.run_id)::uuid                    AS trail_key
FROM trace_events AS made
CROSS JOIN LATERAL json_array_elements(made.json #> '{data,hypotheses}') AS one
LEFT JOIN LATERAL (
    SELECT after, status FROM hypothesis_tests AS test
    WHERE test.run_id = made.run_id AND test.hypothesis_id = one ->> 'id'
    ORDER BY test.event_seq DESC LIMIT 1
) AS last ON true
WHERE made.type = 'hypotheses_generated';

CREATE OR REPLACE VIEW critiques AS
SELECT run_id,
       (json #>> '{data,critique,quality}')::bigint AS quality,
       json #>> '{data,critique,grade}'          AS grade,
       json #>> '{data,critique,critic}'         AS critic,
       json #> '{data,critique,findings}'        AS findings,
       seq                                       AS event_seq,
       at                                        AS created_at,
       md5(run_id || '/' || seq)::uuid           AS key
FROM trace_events
WHERE type = 'critique_completed';

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
       NULL::bigint                              AS span_end,
       md5(trace_events.run_id || '/' || trace_events.seq || '/' || (finding ->> 'id'))::uuid AS key
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
       (json #>> '{data,warning,span,end}')::bigint,
       md5(run_id || '/' || seq || '/' || (json #>> '{data,warning,id}'))::uuid
FROM trace_events
WHERE type = 'fallacy_detected';

CREATE OR REPLACE VIEW contradictions AS
SELECT run_id,
       (json #>> '{data,question_id}')::bigint   AS question_id,
       ARRAY(SELECT json_array_elements_text(
                 coalesce(json #> '{data,passages}', '[]'))) AS passage_ids,
       json #>> '{data,summary}'                 AS summary,
       seq                                       AS event_seq,
       at                                        AS created_at,
       md5(run_id || '/' || seq)::uuid           AS key,
       ARRAY(SELECT md5(run_id || '/' || passage)::uuid FROM json_array_elements_text(
                 coalesce(json #> '{data,passages}', '[]')) AS passage) AS passage_keys
FROM trace_events
WHERE type = 'contradiction_found';
";
