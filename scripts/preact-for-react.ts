const preactFor: Record<string, string> = {
  react: 'preact/compat',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
}

/** Bundles Preact where the components import React: docs/decisions/0034-preact.md. */
export const preactForReact: Bun.BunPlugin = {
  name: 'preact-for-react',
  setup(build) {
    build.onResolve({ filter: /^react(-dom)?($|\/)/ }, ({ path }) => {
      const preact = preactFor[path]
      if (!preact)
        throw new Error(`Islands cannot import ${path}. Use what scripts/preact-for-react.ts lists.`)
      return { path: Bun.resolveSync(preact, import.meta.dir) }
    })
  },
}

/** Whether a module of a bundle is a part of Preact. */
export const isOfPreact = (path: string) => path.includes('node_modules/preact/')
