/** Providers whose accounts sign in here. Browser-safe: no imports. */
export const providers = ['google', 'apple', 'facebook'] as const
export type Provider = (typeof providers)[number]

export const providerLabels: Record<Provider, string> = {
  google: 'Google',
  apple: 'Apple',
  facebook: 'Facebook',
}
