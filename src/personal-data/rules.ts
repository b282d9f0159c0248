/** The tables whose rows open a member's account. The registry says how, and its test that none is missing here. */
export const accessTables = [
  'sessions',
  'push_devices',
  'feed_tokens',
  'passkeys',
  'identities',
  'users',
  'mail_tokens',
  'remembered_devices',
  'sign_in_attempts',
] as const
export type AccessTable = (typeof accessTables)[number]
