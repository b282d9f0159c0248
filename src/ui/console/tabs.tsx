export type Tab = { label: string; href: string; isCurrent: boolean }

/** Parts of one screen as links, which work without a script and with the Back button. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} className="tab" href={tab.href} aria-current={tab.isCurrent ? 'true' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  )
}
