CREATE TABLE "removed_comments" (
	"feedback_id" uuid PRIMARY KEY NOT NULL,
	"comments" text NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"removed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "removed_comments" ADD CONSTRAINT "removed_comments_feedback_id_story_feedback_id_fk" FOREIGN KEY ("feedback_id") REFERENCES "public"."story_feedback"("id") ON DELETE cascade ON UPDATE no action;