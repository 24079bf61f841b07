import { Button, CopyButton } from '@mantine/core'
import { IconCheck, IconLink } from '@tabler/icons-react'
import type { Plan } from '#domain/plan.ts'
import { useShareLink } from './use-share-link.ts'

/** Copies the link that leads to asking for a place. For the plan's owner. */
export function CopyLinkButton({ plan }: { plan: Plan }) {
  const link = useShareLink(plan)
  return (
    <CopyButton value={link ?? ''}>
      {({ copied, copy }) => (
        <Button
          leftSection={copied ? <IconCheck size={20} aria-hidden /> : <IconLink size={20} aria-hidden />}
          disabled={!link}
          onClick={copy}
        >
          {copied ? 'Link copied' : 'Share the link'}
        </Button>
      )}
    </CopyButton>
  )
}
