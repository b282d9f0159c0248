/**
 * Whether a request comes from a search engine or link preview that says so: they get previews of texts, and no age
 * gate.
 */
export function isCrawler(request: Request): boolean {
  return /googlebot|bingbot|duckduckbot|applebot|yandexbot|baiduspider|slurp|facebookexternalhit|twitterbot|linkedinbot|whatsapp|telegrambot|discordbot|slackbot|mastodon|bluesky/i.test(
    request.headers.get('user-agent') ?? '',
  )
}
