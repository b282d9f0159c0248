/** The settings that a panel shows as a switch, with their texts. */
export const switchPanels = {
  notifications: {
    setting: 'emailNotifications',
    label: 'Email',
    hint: 'When a narration of yours is ready, and what is decided about what you shared or reported.',
  },
  playback: {
    setting: 'autoPlayNext',
    label: 'Auto-play next content',
    hint: 'When an item ends, the next in the queue begins.',
  },
  discretion: {
    setting: 'discreetMode',
    label: 'Discreet mode',
    hint: 'Plain page titles, a plain icon, a plain lock screen, plain mail subjects. Esc twice leaves at once.',
  },
} as const
export type SwitchPanel = keyof typeof switchPanels
