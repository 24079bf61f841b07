import type { ComponentProps } from 'react'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'

const ChatDialog = lazyPart(async () => (await import('./ChatDialog.tsx')).ChatDialog)

/** The chat with a person. Its code loads when it first opens. */
export const PersonChat = ({ partner, ...chat }: ComponentProps<typeof ChatDialog>) => (
  <LazyDialog opened={partner !== null}>
    {(opened) => <ChatDialog partner={opened ? partner : null} {...chat} />}
  </LazyDialog>
)
