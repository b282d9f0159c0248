import type { ReactNode } from 'react'
import { emailRetentionDays } from '#src/moderation/rules'
import { pluralize } from '#src/text/pluralize'
import { urls } from '#src/urls'

/** A page of plain text, with its title and content. These pages have no age gate. */
export type WordsPage = { title: string; description: string; body: ReactNode }
type Site = { siteName: string; contactEmail: string | undefined; freeStoryLimit: number; meterDays: number }

export function privacyWords({ siteName, meterDays }: Site): WordsPage {
  return {
    title: 'Privacy Policy',
    description: `What ${siteName} keeps, why, and for how long.`,
    body: (
      <>
        <p className="lead-in">
          What is kept, why, and for how long. Nothing here is sold, and nobody else is told.
        </p>
        <h2 id="without-an-account">Without an account</h2>
        <p>
          A cookie remembers that you said you are an adult, one remembers the theme, and one holds a random
          number. With that number we count the free stories you opened ({meterDays} days) and keep your place
          in what you read and hear, for a year after you last did. Your network address is never stored: only
          a keyed hash of it, against guessing and misuse.
        </p>
        <h2 id="with-an-account">With an account</h2>
        <p>
          Your email, the name you give, and your password as a hash that cannot be reversed. Your favourites
          and your place in each story and flow, how you voted and rated. A session cookie, for 30 days after
          your last visit, and one in which your browser remembers when you were here last. Another shows for
          a year that you signed in with this browser, so that nobody who guesses at your password elsewhere
          can lock you out. When a way to sign in changes, a mail tells you, even if you turned mails off.
        </p>
        <h2 id="when-you-report-something">When you report something</h2>
        <p>
          What you reported and what you wrote. Its maker is never told who you are. An email that you leave
          without an account is only for telling you the decision, and is forgotten {emailRetentionDays} days
          after it.
        </p>
        <h2 id="counting-visits">Counting visits</h2>
        <p>
          Which pages and items are opened, how far they are heard or read, and what is searched for is
          counted under a second random number, so that the library can grow where it is wanted. It is kept
          for 400 days and then forgotten. Where your browser sends Do Not Track or Global Privacy Control,
          none of this is kept.
        </p>
        <div data-consent-choice="" className="btn-row" />
        <h2 id="who-else-sees-it">Who else sees it</h2>
        <p>
          No third party: fonts, scripts, audio and everything else come from this site alone. Whoever runs
          this site can see its database.
        </p>
        <p>
          If you turn notifications on, they reach your screen through the push service of your browser’s
          maker. It learns when one is sent to that browser, but not what it says: only your browser can read
          that.
        </p>
        <h2 id="why-we-ask-your-age">Why we ask your age</h2>
        <p>
          This is a library for adults. Your answer stays on this device as a cookie; we do not ask who you
          are. Pages carry the RTA label, so that parental filters know them.
        </p>
      </>
    ),
  }
}

export function termsWords({ siteName }: Site): WordsPage {
  return {
    title: 'Terms',
    description: `What you agree to when you use ${siteName}.`,
    body: (
      <>
        <p className="lead-in">Short, and meant as it stands.</p>
        <ul>
          <li>You are 18 or older, or of age where you live if that is later.</li>
          <li>
            Stories and recordings are for your own listening and reading. Do not publish them elsewhere.
          </li>
          <li>Keep your account to yourself, and do not try to get into those of others.</li>
          <li>Voices here are synthetic unless an item says otherwise.</li>
          <li>
            You can leave whenever you like. So that nobody is harmed, an account that breaks these terms can
            be closed.
          </li>
        </ul>
      </>
    ),
  }
}

export function helpWords({ contactEmail, freeStoryLimit, meterDays }: Site): WordsPage {
  return {
    title: 'Help Center',
    description: 'How listening, reading and leaving quickly work.',
    body: (
      <>
        <h2 id="listening">Listening</h2>
        <p>
          Press Play on a card. It keeps playing while you move from page to page, and resumes where you
          stopped on any device you are signed in on. Space plays and pauses; the arrow keys go back and
          forward 15 seconds.
        </p>
        <h2 id="reading">Reading</h2>
        <p>
          Without an account {pluralize(freeStoryLimit, 'story is', 'stories are')} yours to open in{' '}
          {meterDays} days; what you opened stays open. With a free account there is no limit.
        </p>
        <h2 id="leaving-quickly">Leaving quickly</h2>
        <p>
          Press Esc twice (what is open is closed first), or the door at the top: a page that is nobody’s
          takes the place of this one.
        </p>
        <h2 id="content-notes">Content notes</h2>
        <p>
          Items can carry notes on what comes up in them. They are on the item’s own page, closed until you
          open them, and say what a story touches, not what happens.
        </p>
        <h2 id="something-else">Something else</h2>
        {contactEmail ? (
          <p>
            <a className="link" href={urls.contact()}>
              Write to us
            </a>
            .
          </p>
        ) : (
          <p>{reportWords}</p>
        )}
      </>
    ),
  }
}

const reportWords =
  'Whatever is wrong with an item can be reported beneath it, with or without an account. Every report is read.'

export function contactWords({ siteName, contactEmail }: Site): WordsPage {
  return {
    title: 'Contact',
    description: `How to reach the people behind ${siteName}.`,
    body: contactEmail ? (
      <p className="lead-in">
        Write to{' '}
        <a className="link" href={`mailto:${contactEmail}`}>
          {contactEmail}
        </a>
        . If a page gave you a number, include it: it shows us what went wrong.
      </p>
    ) : (
      <>
        <p className="lead-in">The people who run this site have not given an address yet.</p>
        <p>
          {reportWords} How everything works is explained in{' '}
          <a className="link" href={urls.help()}>
            Help
          </a>
          .
        </p>
      </>
    ),
  }
}
