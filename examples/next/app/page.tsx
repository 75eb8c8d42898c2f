'use client';

import { createClient } from '@grounded-chat/client';
import { Chat } from '@grounded-chat/react';

const client = createClient({ baseUrl: '/support' });

export default function SupportPage() {
  return (
    <main>
      <h1>Support</h1>
      <Chat client={client} labels={{ title: 'Ask us' }} />
    </main>
  );
}
