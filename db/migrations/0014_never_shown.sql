-- Every word of an item once, folded, for "never show me". An entry of an index has to be short.
CREATE FUNCTION nocturne_words(title text, description text, excerpt text, tags text[], content text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array(
  SELECT DISTINCT left(word, 60)
  FROM regexp_split_to_table(nocturne_fold(concat_ws(' ', title, description, excerpt, array_to_string(tags, ' '), content)), '[^[:alnum:]]+') AS word
  WHERE word <> '');
--> statement-breakpoint
-- Empty at first: a generated column would rewrite the table. 0029 has its triggers, 0030 fills it.
ALTER TABLE "stories" ADD COLUMN "words" text[];
