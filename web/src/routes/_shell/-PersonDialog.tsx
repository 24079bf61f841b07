import { Divider, Stack } from '@mantine/core'
import { BlockPerson } from '#features/people/blocks/BlockPerson.tsx'
import { ReportPerson } from '#features/people/reports/ReportPerson.tsx'
import { FactsTable } from '#features/trust/standing/FactsTable.tsx'
import { useUser } from '#lib/session.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import PersonReviews from './-PersonReviews.tsx'

interface PersonDialogProps {
  userId: string
  name: string
  opened: boolean
  onClose: () => void
}

/** What to know about somebody before deciding, and how to report or block them. */
export default function PersonDialog({ userId, name, opened, onClose }: PersonDialogProps) {
  const self = useUser().id === userId
  return (
    <Dialog opened={opened} onClose={onClose} title={`About ${name}`} size="lg">
      <Stack gap="md">
        <FactsTable userId={userId} self={self} />
        <LinkAnchor to="/people/$personId" params={{ personId: userId }}>
          {self ? 'Your page' : `${name}’s page`}, with what {self ? 'you share' : 'they share'}
        </LinkAnchor>
        <Divider />
        <PersonReviews userId={userId} name={name} />
        {!self && (
          <>
            <Divider />
            <ReportPerson userId={userId} name={name} />
            <BlockPerson userId={userId} name={name} />
          </>
        )}
      </Stack>
    </Dialog>
  )
}
