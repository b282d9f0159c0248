/** Whether the user agent is a search engine or a link preview. They get previews of texts and no age gate. */
export function isCrawler(request: Request): boolean {
  return /googlebot|bingbot|duckduckbot|applebot|yandexbot|baiduspider|slurp|facebookexternalhit|twitterbot|linkedinbot|whatsapp|telegrambot|discordbot|slackbot|mastodon|bluesky/i.test(
    request.headers.get('user-agent') ?? '',
  )
}
