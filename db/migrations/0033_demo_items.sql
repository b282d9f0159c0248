CREATE TABLE "demo_challenges" (
	"challenge_id" uuid PRIMARY KEY NOT NULL,
	"published_before" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "demo_items" (
	"story_id" uuid PRIMARY KEY NOT NULL,
	"taken_from" text
);
--> statement-breakpoint
ALTER TABLE "demo_challenges" ADD CONSTRAINT "demo_challenges_challenge_id_challenges_id_fk" FOREIGN KEY ("challenge_id") REFERENCES "public"."challenges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "demo_items" ADD CONSTRAINT "demo_items_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- A library of before: every other way into it is recorded, so what came in its first transaction with neither an
-- import nor an audited publication is the demo.
INSERT INTO "demo_items" ("story_id")
SELECT "id" FROM "stories"
WHERE "source" = 'pre_uploaded' AND "import_id" IS NULL
  AND "created_at" = (SELECT min("created_at") FROM "stories" WHERE "source" = 'pre_uploaded')
  AND NOT EXISTS (SELECT 1 FROM "audit_log" WHERE "subject_type" = 'item' AND "action" = 'publish' AND "subject_id" = "stories"."id"::text);
--> statement-breakpoint
INSERT INTO "demo_challenges" ("challenge_id")
SELECT "id" FROM "challenges"
WHERE "created_at" = (SELECT min("stories"."created_at") FROM "stories" JOIN "demo_items" ON "story_id" = "stories"."id")
  AND NOT EXISTS (SELECT 1 FROM "audit_log" WHERE "subject_type" = 'challenge' AND "action" = 'create' AND "subject_id" = "challenges"."id"::text);
