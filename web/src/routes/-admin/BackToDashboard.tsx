import { Group } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { LinkAnchor } from '#ui/links.tsx'

/** Leads from a page of the administration back to its dashboard. */
export function BackToDashboard() {
  return (
    <LinkAnchor to="/admin" mih={44} display="inline-flex" mb="xs">
      <Group gap={6} wrap="nowrap">
        <IconArrowLeft size={18} aria-hidden />
        Back to Dashboard
      </Group>
    </LinkAnchor>
  )
}
