import { t } from '@lingui/core/macro'
import { Divider, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ReportButton } from '#features/account/reports/ReportButton.tsx'
import { BlockPerson } from '#features/people/blocks/BlockPerson.tsx'
import { StandingSummary } from '#features/trust/standing/StandingSummary.tsx'
import { standingQuery } from '#features/trust/standing/standing.queries.ts'
import { useUser } from '#lib/session.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import PersonReviews from './PersonReviews.tsx'

interface PersonDialogProps {
  userId: string
  name: string
  opened: boolean
  onClose: () => void
}

/** A person's standing and reviews, if the reader may see them, with buttons to report and block. */
export default function PersonDialog({ userId, name, opened, onClose }: PersonDialogProps) {
  const self = useUser().id === userId
  const { data: standing } = useQuery(standingQuery(userId))
  return (
    <Dialog opened={opened} onClose={onClose} title={t`About ${name}`} size="lg">
      <Stack gap="md">
        {standing !== null && (
          <>
            <StandingSummary userId={userId} self={self} />
            <LinkAnchor to="/people/$personId" params={{ personId: userId }}>
              {self ? t`Your page, with what you share` : t`${name}’s page, with what they share`}
            </LinkAnchor>
            <Divider />
            <PersonReviews userId={userId} name={name} />
            {!self && <Divider />}
          </>
        )}
        {!self && (
          <>
            <ReportButton kind="person" subject={userId} title={t`Report ${name}`} hasPicture>
              {t`Report ${name}`}
            </ReportButton>
            <BlockPerson userId={userId} name={name} />
          </>
        )}
      </Stack>
    </Dialog>
  )
}
