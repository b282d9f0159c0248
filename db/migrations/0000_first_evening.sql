-- Words without case and marks, so that "cafe" finds "Café". Immutable, as a generated column needs it.
CREATE FUNCTION nocturne_fold(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN lower(regexp_replace(normalize(words, NFKD), U&'[\0300-\036F]', '', 'g'));
--> statement-breakpoint
-- What the search looks through: title, description, excerpt and categories, titles first.
CREATE FUNCTION nocturne_search_document(title text, description text, excerpt text, categories text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN setweight(to_tsvector('simple'::regconfig, nocturne_fold(coalesce(title, ''))), 'A')
  || setweight(to_tsvector('simple'::regconfig, nocturne_fold(array_to_string(categories, ' '))), 'B')
  || setweight(to_tsvector('simple'::regconfig, nocturne_fold(coalesce(description, '') || ' ' || coalesce(excerpt, ''))), 'C');
--> statement-breakpoint
CREATE TABLE "analytics_events" (
	"id" uuid NOT NULL,
	"timestamp" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"session_id" text,
	"anon_id" text NOT NULL,
	"user_id" uuid,
	"event_type" text NOT NULL,
	"content_type" text,
	"content_id" text,
	"position_sec" double precision,
	"total_sec" double precision,
	"delta_ms" integer,
	"page" text,
	"meta" jsonb,
	CONSTRAINT "analytics_events_anon_id_timestamp_id_pk" PRIMARY KEY("anon_id","timestamp","id")
) PARTITION BY RANGE ("timestamp");
--> statement-breakpoint
-- Months get their own partitions ahead of time; what fits none is kept here.
CREATE TABLE "analytics_events_default" PARTITION OF "analytics_events" DEFAULT;
--> statement-breakpoint
CREATE INDEX "analytics_events_time" ON "analytics_events" USING brin ("timestamp");
--> statement-breakpoint
CREATE TABLE "audio_files" (
	"hash" text PRIMARY KEY NOT NULL,
	"extension" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"duration_seconds" double precision NOT NULL,
	"peaks" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" text,
	"before" jsonb,
	"after" jsonb
);
--> statement-breakpoint
CREATE TABLE "beta_signups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"source" text DEFAULT 'upgrade_box' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "beta_signups_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "challenge_enrolments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"challenge_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"started_on" date NOT NULL,
	"completed_days" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"paused_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "challenge_flows" (
	"challenge_id" uuid NOT NULL,
	"day" integer NOT NULL,
	"story_id" uuid NOT NULL,
	CONSTRAINT "challenge_flows_challenge_id_day_pk" PRIMARY KEY("challenge_id","day")
);
--> statement-breakpoint
CREATE TABLE "challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"total_days" integer NOT NULL,
	"published_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "content_flags" (
	"id" uuid PRIMARY KEY NOT NULL,
	"story_id" uuid NOT NULL,
	"flag_type" text NOT NULL,
	"flag_reason" text DEFAULT '' NOT NULL,
	"flagged_by" text,
	"moderator_action" text,
	"moderator_notes" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "content_guidelines" (
	"id" uuid PRIMARY KEY NOT NULL,
	"rule_type" text NOT NULL,
	"keywords" text[] DEFAULT '{}' NOT NULL,
	"categories" text[] DEFAULT '{}' NOT NULL,
	"severity" text DEFAULT 'high' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "content_progress" (
	"id" uuid PRIMARY KEY NOT NULL,
	"session_id" text,
	"anon_id" text NOT NULL,
	"user_id" uuid,
	"content_type" text NOT NULL,
	"content_id" uuid NOT NULL,
	"last_position_sec" double precision DEFAULT 0 NOT NULL,
	"total_sec" double precision,
	"completed" boolean DEFAULT false NOT NULL,
	"device_id" text,
	"sequence" bigint,
	"reported_at" timestamp with time zone DEFAULT now() NOT NULL,
	"first_started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_aggregates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"date" date NOT NULL,
	"content_id" text NOT NULL,
	"content_type" text NOT NULL,
	"user_id" uuid,
	"total_views" integer DEFAULT 0 NOT NULL,
	"unique_users" integer DEFAULT 0 NOT NULL,
	"avg_completion_rate" double precision DEFAULT 0 NOT NULL,
	"bounce_rate" double precision DEFAULT 0 NOT NULL,
	"total_time_ms" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_positions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"anon_id" text NOT NULL,
	"content_id" uuid NOT NULL,
	"device_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"position_sec" double precision NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "favorites" (
	"id" uuid PRIMARY KEY NOT NULL,
	"story_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feature_flags" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"is_on" boolean DEFAULT true NOT NULL,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "import_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"import_id" uuid NOT NULL,
	"story_id" uuid NOT NULL,
	"row" integer NOT NULL,
	"action" text NOT NULL,
	"before" jsonb
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"file_name" text,
	"by" text NOT NULL,
	"state" text DEFAULT 'applied' NOT NULL,
	"imported" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"matched_audio" integer DEFAULT 0 NOT NULL,
	"report" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"dedupe_key" text NOT NULL,
	"story_id" uuid,
	"payload" jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"priority" integer DEFAULT 100 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempts_max" integer DEFAULT 3 NOT NULL,
	"run_after" timestamp with time zone DEFAULT now() NOT NULL,
	"leased_until" timestamp with time zone,
	"lease_id" uuid,
	"progress" double precision DEFAULT 0 NOT NULL,
	"error" text,
	"result" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "login_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"timestamp" timestamp with time zone DEFAULT now() NOT NULL,
	"method" text NOT NULL,
	"session_id" text,
	"ip_hash" text
);
--> statement-breakpoint
CREATE TABLE "model_config" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"runpod_api_url" text,
	"runpod_api_key" text,
	"runpod_model_name" text,
	"runpod_max_tokens" integer DEFAULT 4000 NOT NULL,
	"runpod_temperature" text DEFAULT '0.8' NOT NULL,
	"runpod_use_json" boolean DEFAULT false NOT NULL,
	"openai_api_key" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "narrations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"story_id" uuid NOT NULL,
	"voice" text NOT NULL,
	"narrator" text,
	"provider" text NOT NULL,
	"audio_hash" text NOT NULL,
	"file_name" text,
	"is_current" boolean DEFAULT true NOT NULL,
	"import_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "openings" (
	"reader_id" text NOT NULL,
	"story_id" uuid NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "openings_reader_id_story_id_pk" PRIMARY KEY("reader_id","story_id")
);
--> statement-breakpoint
CREATE TABLE "playback_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"user_id" uuid,
	"story_id" uuid NOT NULL,
	"ip_address" text,
	"day" date NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"is_complete" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"sid" text PRIMARY KEY NOT NULL,
	"sess" jsonb NOT NULL,
	"expire" timestamp with time zone NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stories" (
	"id" uuid PRIMARY KEY NOT NULL,
	"type" text DEFAULT 'story' NOT NULL,
	"source" text DEFAULT 'user_generated' NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"title_key" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"excerpt" text DEFAULT '' NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"preview" text GENERATED ALWAYS AS (left(content, 400)) STORED NOT NULL,
	"word_count" integer DEFAULT 0 NOT NULL,
	"categories" text[] DEFAULT '{}' NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"content_notes" text[] DEFAULT '{}' NOT NULL,
	"duration" integer DEFAULT 15 NOT NULL,
	"audio_duration_seconds" double precision,
	"voice" text DEFAULT 'female' NOT NULL,
	"narrator_male" text,
	"narrator_female" text,
	"audio_url" text,
	"is_free" boolean DEFAULT false NOT NULL,
	"is_generating" boolean DEFAULT false NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"user_id" uuid,
	"upvotes" integer DEFAULT 0 NOT NULL,
	"downvotes" integer DEFAULT 0 NOT NULL,
	"premium_content_id" uuid,
	"import_id" uuid,
	"published_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"search" "tsvector" GENERATED ALWAYS AS (nocturne_search_document(title, description, excerpt, categories)) STORED,
	CONSTRAINT "stories_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
-- Texts lie beside the table, not in it: lists and counts then read a tenth of the pages.
ALTER TABLE "stories" SET (toast_tuple_target = 256);
--> statement-breakpoint
ALTER TABLE "stories" ALTER COLUMN "content" SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE TABLE "story_feedback" (
	"id" uuid PRIMARY KEY NOT NULL,
	"story_id" uuid NOT NULL,
	"user_id" uuid,
	"feedback_type" text DEFAULT 'rating' NOT NULL,
	"rating" integer,
	"comments" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "throttles" (
	"key" text NOT NULL,
	"window_start" timestamp with time zone NOT NULL,
	"count" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "throttles_key_window_start_pk" PRIMARY KEY("key","window_start")
);
--> statement-breakpoint
CREATE TABLE "tracking_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"anon_id" text,
	"first_seen" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen" timestamp with time zone DEFAULT now() NOT NULL,
	"user_agent" text,
	"locale" text,
	"referrer" text,
	"utm" jsonb,
	"consent" boolean DEFAULT false NOT NULL,
	"dnt" boolean DEFAULT false NOT NULL,
	"ip_hash" text,
	CONSTRAINT "tracking_sessions_session_id_unique" UNIQUE("session_id")
);
--> statement-breakpoint
CREATE TABLE "training_data" (
	"id" uuid PRIMARY KEY NOT NULL,
	"prompt_template" text NOT NULL,
	"categories" text[] DEFAULT '{}' NOT NULL,
	"success_metrics" jsonb,
	"user_preferences" jsonb,
	"quality_score" real,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "training_examples" (
	"id" uuid PRIMARY KEY NOT NULL,
	"input_prompt" text NOT NULL,
	"expected_output" text NOT NULL,
	"actual_output" text,
	"categories" text[] DEFAULT '{}' NOT NULL,
	"quality_rating" integer,
	"improvement_notes" text,
	"is_approved" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email_notifications" boolean DEFAULT true NOT NULL,
	"push_notifications" boolean DEFAULT false NOT NULL,
	"auto_play_next" boolean DEFAULT true NOT NULL,
	"theme" text,
	"discreet_mode" boolean DEFAULT false NOT NULL,
	"hidden_categories" text[] DEFAULT '{}' NOT NULL,
	"hidden_words" text[] DEFAULT '{}' NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"username" text,
	"password" text,
	"email" text,
	"first_name" text,
	"last_name" text,
	"profile_image_url" text,
	"oauth_provider" text,
	"oauth_sub" text,
	"auth_id" text,
	"suspended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_username_unique" UNIQUE("username"),
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_auth_id_unique" UNIQUE("auth_id")
);
--> statement-breakpoint
CREATE TABLE "votes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"story_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"vote_type" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "challenge_enrolments" ADD CONSTRAINT "challenge_enrolments_challenge_id_challenges_id_fk" FOREIGN KEY ("challenge_id") REFERENCES "public"."challenges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "challenge_enrolments" ADD CONSTRAINT "challenge_enrolments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "challenge_flows" ADD CONSTRAINT "challenge_flows_challenge_id_challenges_id_fk" FOREIGN KEY ("challenge_id") REFERENCES "public"."challenges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "challenge_flows" ADD CONSTRAINT "challenge_flows_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_flags" ADD CONSTRAINT "content_flags_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_progress" ADD CONSTRAINT "content_progress_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_progress" ADD CONSTRAINT "content_progress_content_id_stories_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_positions" ADD CONSTRAINT "device_positions_content_id_stories_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_changes" ADD CONSTRAINT "import_changes_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_events" ADD CONSTRAINT "login_events_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "narrations" ADD CONSTRAINT "narrations_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "narrations" ADD CONSTRAINT "narrations_audio_hash_audio_files_hash_fk" FOREIGN KEY ("audio_hash") REFERENCES "public"."audio_files"("hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "openings" ADD CONSTRAINT "openings_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playback_sessions" ADD CONSTRAINT "playback_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playback_sessions" ADD CONSTRAINT "playback_sessions_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stories" ADD CONSTRAINT "stories_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "story_feedback" ADD CONSTRAINT "story_feedback_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "story_feedback" ADD CONSTRAINT "story_feedback_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_settings" ADD CONSTRAINT "user_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "votes" ADD CONSTRAINT "votes_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "votes" ADD CONSTRAINT "votes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject_type","subject_id");--> statement-breakpoint
CREATE INDEX "beta_signups_created" ON "beta_signups" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "challenge_enrolments_once" ON "challenge_enrolments" USING btree ("challenge_id","user_id");--> statement-breakpoint
CREATE INDEX "content_flags_open" ON "content_flags" USING btree ("resolved_at","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "content_progress_once" ON "content_progress" USING btree ("anon_id","content_id","content_type");--> statement-breakpoint
CREATE INDEX "content_progress_recent" ON "content_progress" USING btree ("anon_id","last_updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "daily_aggregates_once" ON "daily_aggregates" USING btree ("date","content_id","content_type");--> statement-breakpoint
CREATE UNIQUE INDEX "device_positions_once" ON "device_positions" USING btree ("anon_id","content_id","device_id");--> statement-breakpoint
CREATE UNIQUE INDEX "favorites_once" ON "favorites" USING btree ("user_id","story_id");--> statement-breakpoint
CREATE INDEX "import_changes_import" ON "import_changes" USING btree ("import_id");--> statement-breakpoint
CREATE INDEX "imports_created" ON "imports" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_once" ON "jobs" USING btree ("kind","dedupe_key") WHERE state in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "jobs_next" ON "jobs" USING btree ("priority","created_at") WHERE state in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "jobs_story" ON "jobs" USING btree ("story_id");--> statement-breakpoint
CREATE INDEX "login_events_user" ON "login_events" USING btree ("user_id","timestamp");--> statement-breakpoint
CREATE UNIQUE INDEX "narrations_current" ON "narrations" USING btree ("story_id","voice") WHERE is_current;--> statement-breakpoint
CREATE INDEX "narrations_audio" ON "narrations" USING btree ("audio_hash");--> statement-breakpoint
CREATE INDEX "narrations_import" ON "narrations" USING btree ("import_id");--> statement-breakpoint
CREATE INDEX "openings_time" ON "openings" USING btree ("opened_at");--> statement-breakpoint
CREATE UNIQUE INDEX "playback_sessions_once" ON "playback_sessions" USING btree ("session_id","story_id","day");--> statement-breakpoint
CREATE INDEX "playback_sessions_story" ON "playback_sessions" USING btree ("story_id","day");--> statement-breakpoint
CREATE INDEX "sessions_expire" ON "sessions" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "stories_published" ON "stories" USING btree ("type","published_at","id") WHERE status = 'published' and source = 'pre_uploaded';--> statement-breakpoint
CREATE INDEX "stories_published_all" ON "stories" USING btree ("published_at","id") WHERE status = 'published' and source = 'pre_uploaded';--> statement-breakpoint
CREATE INDEX "stories_duration" ON "stories" USING btree ("type","duration","id") WHERE status = 'published' and source = 'pre_uploaded';--> statement-breakpoint
CREATE INDEX "stories_categories" ON "stories" USING gin ("categories");--> statement-breakpoint
CREATE INDEX "stories_search" ON "stories" USING gin ("search");--> statement-breakpoint
CREATE INDEX "stories_title_key" ON "stories" USING btree ("type","title_key");--> statement-breakpoint
CREATE INDEX "stories_user" ON "stories" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "stories_import" ON "stories" USING btree ("import_id");--> statement-breakpoint
CREATE UNIQUE INDEX "story_feedback_once" ON "story_feedback" USING btree ("story_id","user_id","feedback_type");--> statement-breakpoint
CREATE INDEX "throttles_expiry" ON "throttles" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "tracking_sessions_seen" ON "tracking_sessions" USING btree ("last_seen");--> statement-breakpoint
CREATE UNIQUE INDEX "users_oauth" ON "users" USING btree ("oauth_provider","oauth_sub") WHERE "users"."oauth_sub" is not null;--> statement-breakpoint
CREATE INDEX "users_created" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "votes_once" ON "votes" USING btree ("story_id","user_id");--> statement-breakpoint
CREATE INDEX "votes_created" ON "votes" USING btree ("created_at");