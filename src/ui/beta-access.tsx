import { urls } from '#src/urls'

/** The Beta Access box: an ordinary form, which islands/site/beta-access.ts submits without leaving the page. */
export function BetaAccess() {
  return (
    <form className="beta" action={urls.betaSignup()} method="post" data-beta="" data-live="beta">
      <h2>Beta Access</h2>
      <p>Everything is open to you for a short while, before premium begins.</p>
      <label className="visually-hidden" htmlFor="beta-email">
        Email
      </label>
      <input
        className="input"
        id="beta-email"
        type="email"
        name="email"
        placeholder="you@example.com"
        autoComplete="email"
        required
      />
      <button className="btn btn-quiet btn-block" type="submit">
        Get Early Access
      </button>
    </form>
  )
}
