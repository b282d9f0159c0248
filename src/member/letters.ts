/** What the mails of an account say. Each names the site and a way on, and nothing else of the person. */
type Letter = { subject: string; text: string }
type LinkLetter = { siteName: string; link: string }

export function resetLetter({ siteName, link }: LinkLetter): Letter {
  return {
    subject: `A new password for ${siteName}`,
    text: `Somebody, most likely you, asked for a new password at ${siteName}.

Choose one here, within the next hour:
${link}

The link works once. If it was not you, nothing has to be done: the old password stays.`,
  }
}

export function newEmailLetter({ siteName, link }: LinkLetter): Letter {
  return {
    subject: `Your new address – ${siteName}`,
    text: `Somebody, most likely you, wants to use this address for their account at ${siteName}.

If it was you, say so here, within a day:
${link}

The link works once. If it was not you, do nothing: no account has this address by it.`,
  }
}

/** What happened to an account. The words name neither what was linked nor where a mail went: others may see them. */
const noticeWords = {
  password: 'The password of your account was changed.',
  'passkey-added': 'A passkey was added to your account: it signs in without the password.',
  'passkey-removed': 'A passkey was taken away from your account.',
  linked: 'An account elsewhere was linked to yours: it signs in here from now on.',
  unlinked: 'An account elsewhere was unlinked from yours: it signs in here no longer.',
  'email-asked':
    'Somebody, most likely you, asked to give your account another email. Nothing has changed yet.',
  'email-changed': 'Your account has another email now. Letters to this one end with this letter.',
} as const
export type AccountChange = keyof typeof noticeWords

/** Says that a way into an account has changed, so that nobody else can change one unnoticed. */
export function noticeLetter(
  change: AccountChange,
  { siteName, resetLink, contactLink }: { siteName: string; resetLink: string; contactLink: string },
): Letter {
  const mend =
    change === 'email-changed'
      ? `If it was not you, write to us at once:
${contactLink}`
      : `If it was not you, choose a new password here. That ends every session:
${resetLink}

Then look through Settings for what is not yours, or write to us:
${contactLink}`
  return {
    subject: `A change to your account – ${siteName}`,
    text: `${noticeWords[change]}

If it was you, nothing has to be done.

${mend}`,
  }
}

export function verifyLetter({ siteName, link }: LinkLetter): Letter {
  return {
    subject: `Is this your address? – ${siteName}`,
    text: `An account at ${siteName} was given this address.

If it is yours, say so here, within the next seven days:
${link}

Nothing is locked until then. If the account is not yours, do nothing: the address stays unconfirmed.`,
  }
}
