DROP INDEX IF EXISTS "stories_words";
