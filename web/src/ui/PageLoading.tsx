import { Center, Loader } from '@mantine/core'

/** A screen whose data is on its way and that has no skeleton of its own. */
export function PageLoading() {
  return (
    <Center mih="50vh" role="status" aria-label="Loading">
      <Loader type="dots" />
    </Center>
  )
}
