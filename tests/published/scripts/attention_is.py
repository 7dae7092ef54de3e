# cause: none, short as an answer in a forum
import numpy as np
import torch
import torch.nn as nn

sentences = ["ich mochte ein bier P", "S i want a beer", "i want a beer E"]
src_vocab = {"P": 0, "ich": 1, "mochte": 2, "ein": 3, "bier": 4}
tgt_vocab = {"P": 0, "i": 1, "want": 2, "a": 3, "beer": 4, "S": 5, "E": 6}
d_model, d_k, n_heads = 16, 8, 2


def get_attn_pad_mask(seq_q, seq_k):
    batch_size, len_q = seq_q.size()
    pad_attn_mask = seq_k.data.eq(0).unsqueeze(1)
    return pad_attn_mask.expand(batch_size, len_q, seq_k.size(1))


class MultiHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.W_Q, self.W_K, self.W_V = (nn.Linear(d_model, d_k * n_heads) for _ in range(3))
        self.linear, self.norm = nn.Linear(n_heads * d_k, d_model), nn.LayerNorm(d_model)

    def forward(self, q, k, v, mask):
        residual, n = q, q.size(0)
        qs, ks, vs = (w(t).view(n, -1, n_heads, d_k).transpose(1, 2) for w, t in ((self.W_Q, q), (self.W_K, k), (self.W_V, v)))
        scores = torch.matmul(qs, ks.transpose(-1, -2)) / np.sqrt(d_k)
        scores.masked_fill_(mask.unsqueeze(1).repeat(1, n_heads, 1, 1), -1e9)
        context = torch.matmul(nn.Softmax(dim=-1)(scores), vs)
        return self.norm(self.linear(context.transpose(1, 2).contiguous().view(n, -1, n_heads * d_k)) + residual)


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.src, self.tgt = nn.Embedding(len(src_vocab), d_model), nn.Embedding(len(tgt_vocab), d_model)
        self.enc, self.own, self.cross = MultiHead(), MultiHead(), MultiHead()
        self.projection = nn.Linear(d_model, len(tgt_vocab), bias=False)

    def forward(self, enc_in, dec_in):
        e = self.src(enc_in)
        e = self.enc(e, e, e, get_attn_pad_mask(enc_in, enc_in))
        d = self.tgt(dec_in)
        future = torch.triu(torch.ones(dec_in.size(1), dec_in.size(1)), 1).bool().unsqueeze(0)
        d = self.own(d, d, d, get_attn_pad_mask(dec_in, dec_in) | future)
        d = self.cross(d, e, e, get_attn_pad_mask(dec_in, enc_in))
        logits = self.projection(d)
        return logits.view(-1, logits.size(-1))


model = Transformer()
criterion, optimizer = nn.CrossEntropyLoss(), torch.optim.Adam(model.parameters(), lr=0.001)
enc = torch.LongTensor([[src_vocab[n] for n in sentences[0].split()]])
dec = torch.LongTensor([[tgt_vocab[n] for n in sentences[1].split()]])
tgt = torch.LongTensor([[tgt_vocab[n] for n in sentences[2].split()]])
for epoch in range(20):
    optimizer.zero_grad()
    loss = criterion(model(enc, dec), tgt.contiguous().view(-1))
    print("Epoch:", "%04d" % (epoch + 1), "cost =", "{:.6f}".format(loss))
    loss.backward()
    optimizer.step()
