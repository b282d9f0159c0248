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

export function verifyLetter({ siteName, link }: LinkLetter): Letter {
  return {
    subject: `Is this your address? – ${siteName}`,
    text: `An account at ${siteName} was given this address.

If it is yours, say so here, within the next seven days:
${link}

Nothing is locked until then. If the account is not yours, do nothing: the address stays unconfirmed.`,
  }
}
