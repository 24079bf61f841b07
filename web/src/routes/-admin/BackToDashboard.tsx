import { Anchor, Group } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

/** Leads from a page of the administration back to its dashboard. */
export function BackToDashboard() {
  return (
    <Anchor renderRoot={(props) => <Link {...props} to="/admin" />} mih={44} display="inline-flex" mb="xs">
      <Group gap={6} wrap="nowrap">
        <IconArrowLeft size={18} aria-hidden />
        Back to Dashboard
      </Group>
    </Anchor>
  )
}
