-- What waits for an operator whatever the rules is written down from now on; for what waits already it is written here.
INSERT INTO "guideline_decisions" ("id", "actor", "door", "story_id", "rule_id", "rule_version", "severity", "decision", "places", "text_hash")
SELECT gen_random_uuid(), 'nocturne', CASE WHEN "is_shared" THEN 'share' ELSE 'import' END, "id",
	CASE WHEN "is_shared" THEN 'review:sharing' ELSE 'review:import' END, 1, 'high', 'held', '[]'::jsonb, ''
FROM "stories"
WHERE "status" = 'held' AND ("is_shared" OR NOT EXISTS (
	SELECT 1 FROM "guideline_decisions" "d" WHERE "d"."story_id" = "stories"."id" AND "d"."decision" = 'held'));
