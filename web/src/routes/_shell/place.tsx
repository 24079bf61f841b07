import { Container } from '@mantine/core'
import { createFileRoute, useLocation } from '@tanstack/react-router'
import { PlaceScreen } from '#features/joining/guests/PlaceScreen.tsx'
import { recallPlace } from '#features/joining/guests/place-memory.ts'

/** The page of a guest; the secret of their link is the fragment. */
export const Route = createFileRoute('/_shell/place')({
  staticData: { plain: true },
  component: PlacePage,
})

function PlacePage() {
  const { hash } = useLocation()
  // Without a fragment, the guest comes back from signing in.
  const secret = hash || (recallPlace() ?? '')
  return (
    <Container size="sm" py={{ base: 'sm', sm: 'lg' }}>
      <PlaceScreen key={secret} secret={secret} />
    </Container>
  )
}
