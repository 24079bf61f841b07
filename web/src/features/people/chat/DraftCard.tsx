import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Box, Button, Group, Text } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import classes from './ChatComposer.module.css'
import { type MessageDraft, useDiscardDraft } from './message-drafts.ts'

interface DraftCardProps {
  conversationId: string
  draft: MessageDraft
  /** True while another message is being sent. */
  busy: boolean
  onSend: () => void
  onEdit: () => void
}

/** A draft written by one of the reader's programs. Other people see it only once the reader sends it. */
export function DraftCard({ conversationId, draft, busy, onSend, onEdit }: DraftCardProps) {
  const discard = useDiscardDraft(conversationId)
  return (
    <section className={classes.draft} aria-label={t`Draft`}>
      <Text size="sm" fw={600} className={classes.maker}>
        <IconRobot size={18} aria-hidden />
        <span>
          <Trans>Draft from “{draft.madeBy}”</Trans>
        </span>
      </Text>
      <Box className={classes.proposed} dir="auto" tabIndex={0}>
        {draft.content}
      </Box>
      <Group gap="xs">
        <Button size="sm" disabled={busy} onClick={onSend}>
          {t`Send`}
        </Button>
        <Button size="sm" variant="default" onClick={onEdit}>
          {t`Edit`}
        </Button>
        <Button size="sm" variant="subtle" loading={discard.isPending} onClick={() => discard.mutate(draft)}>
          {t`Discard`}
        </Button>
      </Group>
    </section>
  )
}
