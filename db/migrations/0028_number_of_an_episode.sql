CREATE TABLE "episode_numbers" (
	"story_id" uuid PRIMARY KEY NOT NULL,
	"number" integer GENERATED ALWAYS AS IDENTITY (sequence name "episode_numbers_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	CONSTRAINT "episode_numbers_number_unique" UNIQUE("number")
);
--> statement-breakpoint
ALTER TABLE "episode_numbers" ADD CONSTRAINT "episode_numbers_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;