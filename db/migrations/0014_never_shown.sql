-- Every word of an item once, folded, for "never show me". An entry of an index has to be short.
CREATE FUNCTION nocturne_words(title text, description text, excerpt text, tags text[], content text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array(
  SELECT DISTINCT left(word, 60)
  FROM regexp_split_to_table(nocturne_fold(concat_ws(' ', title, description, excerpt, array_to_string(tags, ' '), content)), '[^[:alnum:]]+') AS word
  WHERE word <> '');
--> statement-breakpoint
ALTER TABLE "stories" ADD COLUMN "words" text[] GENERATED ALWAYS AS (nocturne_words(title, description, excerpt, tags, content)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "stories_words" ON "stories" USING gin ("words");