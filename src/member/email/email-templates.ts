/** Email templates of an account. Each contains the site's name and a link, and nothing else about the person. */
type EmailText = { subject: string; text: string }
type LinkEmail = { siteName: string; link: string }

export function resetEmail({ siteName, link }: LinkEmail): EmailText {
  return {
    subject: `A new password for ${siteName}`,
    text: `Someone, most likely you, asked for a new password at ${siteName}.

Choose one here, within the next hour:
${link}

The link works once. If it was not you, ignore this mail: the old password stays.`,
  }
}

export function newAddressEmail({ siteName, link }: LinkEmail): EmailText {
  return {
    subject: `Your new address – ${siteName}`,
    text: `Someone, most likely you, wants to use this address for their account at ${siteName}.

If it was you, confirm it here within a day:
${link}

The link works once. If it was not you, do nothing: no account will use this address.`,
  }
}

/**
 * Changes of an account, in words that name neither the linked account nor the recipient, because others may read the
 * mail.
 */
const noticeWords = {
  password: 'The password of your account was changed.',
  'passkey-added': 'A passkey was added to your account: it signs in without the password.',
  'passkey-removed': 'A passkey was removed from your account.',
  linked: 'An account elsewhere was linked to yours: it can sign you in from now on.',
  unlinked: 'An account elsewhere was unlinked from yours: it can no longer sign you in.',
  'email-asked':
    'Someone, most likely you, asked to change the email of your account. Nothing has changed yet.',
  'email-changed': 'The email of your account has changed. This is the last mail to this address.',
} as const
export type AccountChange = keyof typeof noticeWords

/** The notice that a sign-in method has changed, so that nobody else can change one unnoticed. */
export function noticeEmail(
  change: AccountChange,
  {
    ended,
    siteName,
    resetLink,
    contactLink,
  }: { ended: string; siteName: string; resetLink: string; contactLink: string },
): EmailText {
  const fix =
    change === 'email-changed'
      ? `If it was not you, write to us at once:
${contactLink}`
      : `If it was not you, choose a new password here. That ends every session:
${resetLink}

Then look through Settings for what is not yours, or write to us:
${contactLink}`
  return {
    subject: `A change to your account – ${siteName}`,
    text: `${`${noticeWords[change]} ${ended}`.trim()}

If it was you, there is nothing to do.

${fix}`,
  }
}

export function verificationEmail({ siteName, link }: LinkEmail): EmailText {
  return {
    subject: `Is this your address? – ${siteName}`,
    text: `An account at ${siteName} was given this address. If it is yours, confirm it here within the next seven days:
${link}

Nothing is locked until then. If the account is not yours, do nothing: the address stays unconfirmed.`,
  }
}
