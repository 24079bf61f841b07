import { MantineProvider } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { Dialog } from './Dialog.tsx'

function Two() {
  const [chat, { close: leave }] = useDisclosure(true)
  const [about, { open, close }] = useDisclosure()
  return (
    <MantineProvider env="test">
      <Dialog opened={chat} onClose={leave} title="Chat">
        <button type="button" onClick={open}>
          Who is it?
        </button>
        <Dialog opened={about} onClose={close} title="About">
          <button type="button">Block</button>
        </Dialog>
      </Dialog>
    </MantineProvider>
  )
}

it('Escape closes the dialog on top, and with the next press the one below', async () => {
  const user = userEvent.setup()
  render(<Two />)
  const names = () => screen.queryAllByRole('dialog').map((dialog) => dialog.textContent)
  await screen.findByRole('dialog', { name: 'Chat' })
  await user.click(screen.getByText('Who is it?'))
  await screen.findByRole('dialog', { name: 'About' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(names()).toEqual(['ChatWho is it?']))
  await user.click(screen.getByText('Who is it?'))
  await screen.findByRole('dialog', { name: 'About' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(names()).toEqual(['ChatWho is it?']))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(names()).toEqual([]))
})
