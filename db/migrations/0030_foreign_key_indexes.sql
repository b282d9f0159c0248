CREATE INDEX "analytics_links_user" ON "analytics_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "challenge_enrolments_user" ON "challenge_enrolments" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "challenge_flows_story" ON "challenge_flows" USING btree ("story_id");--> statement-breakpoint
CREATE INDEX "favorites_story" ON "favorites" USING btree ("story_id");--> statement-breakpoint
CREATE INDEX "content_progress_content" ON "content_progress" USING btree ("content_id");--> statement-breakpoint
CREATE INDEX "content_progress_user" ON "content_progress" USING btree ("user_id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "device_positions_content" ON "device_positions" USING btree ("content_id");--> statement-breakpoint
CREATE INDEX "playback_meters_story" ON "playback_meters" USING btree ("story_id");--> statement-breakpoint
CREATE INDEX "playback_sessions_user" ON "playback_sessions" USING btree ("user_id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "drafts_template" ON "drafts" USING btree ("template_id") WHERE template_id is not null;--> statement-breakpoint
CREATE INDEX "narrations_story" ON "narrations" USING btree ("story_id");--> statement-breakpoint
CREATE INDEX "openings_story" ON "openings" USING btree ("story_id");--> statement-breakpoint
CREATE INDEX "stories_minutes_all" ON "stories" USING btree ("minutes","id") WHERE status = 'published' and source = 'pre_uploaded';--> statement-breakpoint
CREATE INDEX "story_feedback_user" ON "story_feedback" USING btree ("user_id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "votes_user" ON "votes" USING btree ("user_id");