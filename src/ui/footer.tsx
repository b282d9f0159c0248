import { urls } from '#src/urls'

export function Footer() {
  return (
    <footer className="footer">
      <span>For adults only. Every voice here is synthetic and says so.</span>
      <a href={urls.help()}>Help Center</a>
      <a href={urls.privacy()}>Privacy Policy</a>
      <a href={urls.terms()}>Terms</a>
      <a href={`${urls.help()}#content-notes`}>Content notes</a>
    </footer>
  )
}
