/** A server in an address: a name or an IP address, and its port if there is one. */
export type Host = { name: string; port: number | null }

/**
 * Parses an address of PostgreSQL. libpq allows several servers in it (`postgres://user:password@a:5432,b:5432/name`),
 * which URL does not parse. `single` is the same address with only the first server. Null if the text is not an
 * address.
 */
export function readDatabaseAddress(text: string): { single: string; hosts: Host[] } | null {
  const [, before = '', servers = '', after = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/is.exec(text) ?? []
  const urls = servers.split(',').map((server) => URL.parse(`${before}${server}${after}`))
  const hosts = urls.flatMap((url) => (url ? [hostOf(url)] : []))
  const [first] = urls
  return first && hosts.length === urls.length ? { single: first.href, hosts } : null
}

/** Removes the brackets that an IPv6 address has only in a URL. */
function hostOf({ hostname, port }: URL): Host {
  return { name: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? null : Number(port) }
}
