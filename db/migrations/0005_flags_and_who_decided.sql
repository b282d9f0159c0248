ALTER TABLE "content_flags" ADD COLUMN "reporter_email" text;--> statement-breakpoint
ALTER TABLE "content_flags" ADD COLUMN "moderator" text;--> statement-breakpoint
CREATE INDEX "content_flags_story" ON "content_flags" USING btree ("story_id");