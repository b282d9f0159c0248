-- outside a transaction
INSERT INTO trending_changes (story_id)
SELECT stories.id FROM stories
WHERE status = 'published' AND source = 'pre_uploaded'
	AND (upvotes > 0 OR EXISTS (SELECT FROM item_totals WHERE item_totals.story_id = stories.id));
